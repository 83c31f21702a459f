/** Calls to addresses that requestors choose: refused before a byte leaves, also for names that resolve to an address that is not allowed. */
import { createServer } from 'node:http'
import type { LookupFunction } from 'node:net'
import * as assert from 'uvu/assert'
import { environmentFetch } from '../../ports/environment-fetch.ts'
import { guardedFetch, RefusedHostError } from '../../ports/guarded-fetch.ts'
import { hostRule } from '../../ports/host-rule.ts'
import { suite } from '../suite.ts'

const Guarded = suite('calls to addresses that requestors choose')

let calls = 0
const server = createServer((_, response) => {
  calls += 1
  response.end('inner')
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const port: number = Object(server.address()).port
Guarded.after(() => void server.close())

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'inner.example': ['127.0.0.1'],
  'mixed.example': ['203.0.114.1', '127.0.0.1'],
}
const names: LookupFunction = (host, { all }, callback) => {
  const found = (ADDRESSES[host] ?? []).map(address => ({ address, family: 4 }))
  if (all) callback(null, found)
  else callback(null, found[0]?.address ?? '', 4)
}

function fetchWith(entries: readonly string[], lookup: LookupFunction = names) {
  return guardedFetch(hostRule(entries), checked => environmentFetch({}, checked), lookup)
}

async function outcome(entries: readonly string[], host: string, lookup = names): Promise<unknown> {
  const before = calls
  try {
    const response = await fetchWith(entries, lookup)(`http://${host}:${port}/`, { redirect: 'manual' })
    return await response.text()
  } catch (error) {
    assert.instance(error, TypeError)
    const { cause } = error as Error
    assert.instance(cause, RefusedHostError)
    assert.is(calls, before, 'nothing was called')
    return 'refused'
  }
}

const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '017700000001',
  '[::ffff:127.0.0.1]',
  '[::1]',
]

Guarded('an inner address is refused in every spelling', async () => {
  for (const host of SPELLINGS) assert.is(await outcome(['public'], host), 'refused', host)
})

Guarded(
  'a name that resolves to an inner address is refused, unless the rule contains the name or the network',
  async () => {
    assert.is(await outcome(['public'], 'inner.example'), 'refused')
    assert.is(await outcome(['other.example'], 'inner.example'), 'refused')
    assert.is(await outcome(['10.0.0.0/8'], 'inner.example'), 'refused')
    assert.is(await outcome(['inner.example'], 'inner.example'), 'inner')
    assert.is(await outcome(['.example'], 'inner.example'), 'inner')
    assert.is(await outcome(['127.0.0.0/8'], 'inner.example'), 'inner')
    assert.is(await outcome(['public', '127.0.0.1'], '127.0.0.1'), 'inner')
  },
)

Guarded('if a name has several addresses, only the allowed ones are called', async () => {
  assert.is(await outcome(['127.0.0.0/8'], 'mixed.example'), 'inner')
})

Guarded('a name is resolved once for a connection: a changing answer leads to no other address', async () => {
  let asked = 0
  const changing: LookupFunction = (_host, { all }, callback) => {
    asked += 1
    const address = asked === 1 ? '127.0.0.1' : '10.0.0.1'
    if (all) callback(null, [{ address, family: 4 }])
    else callback(null, address, 4)
  }
  assert.is(await outcome(['127.0.0.0/8'], 'changing.example', changing), 'inner')
  assert.is(asked, 1)
})

Guarded('a name that does not exist fails as it does without a rule', async () => {
  const failing: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
  let cause: unknown
  await fetchWith(
    ['public'],
    failing,
  )(`http://gone.example:${port}/`).catch((error: Error) => {
    cause = error.cause
  })
  assert.is(Object(cause).code, 'ENOTFOUND')
})

Guarded.run()
