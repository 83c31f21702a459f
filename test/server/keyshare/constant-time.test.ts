/** The arithmetic of a keyshare server. Production refuses an arithmetic whose time may depend on a secret. */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { rejection } from '../../faults/rejection.ts'
import { suite } from '../../suite.ts'
import { startNode } from './node.ts'

const Time = suite('a keyshare server and arithmetic without constant time')
const production = { production: true, url: 'https://keyshare.example', store: 'sqlite:unused' }

/** Starts a server and closes it. @returns its warnings about the arithmetic. It may have another warning, which depends on the processor */
async function started(values: object): Promise<readonly string[]> {
  const warned: string[] = []
  const log = { info() {}, error: console.log, warn: (line: unknown) => void warned.push(String(line)) }
  const node = await startNode({ ...values }, { log, instead: { store: createMemoryStore() } })
  await node.close()
  return warned.filter(line => line.startsWith('arithmetic: '))
}

Time('in production, bigint is refused and openssl is accepted', async () => {
  assert.is(
    await rejection(started({ ...production, arithmetic: 'bigint' })),
    'SettingsError: arithmetic: expected openssl in production, because only openssl computes powers of secrets in constant time, got bigint',
  )
  assert.equal(await started({ ...production, arithmetic: 'openssl' }), [])
})

Time('outside of production, bigint causes a warning', async () => {
  assert.equal(await started({ arithmetic: 'bigint' }), [
    'arithmetic: the time that bigint takes may reveal secrets; production needs openssl, because only openssl computes powers of secrets in constant time',
  ])
})
Time.run()
