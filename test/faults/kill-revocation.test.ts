/** An authority that is killed while it revokes (spec/laws#1): every answered revocation is kept, and events, accumulator and records agree. @module */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { issuerOf } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { openStore } from '../../stores/open.ts'
import { BADGE, there } from '../actors/authority.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const KILLS = 5
const revoker = fileURLToPath(new URL(`./revoker${import.meta.url.slice(-3)}`, import.meta.url))
const key = there((await loadSchemes(DEMO_SCHEMES)).publicKey(issuerOf(BADGE), 0))

type RevokerMessage = { readonly issued?: string; readonly revoked?: string }

/** @returns the output of the process, which is killed after its third revocation, during a later one */
async function revokeAndKill(file: string, name: string): Promise<readonly RevokerMessage[]> {
  const told: RevokerMessage[] = []
  const child: ChildProcess = fork(revoker, [file, name])
  child.on('message', (message: RevokerMessage) => {
    told.push(message)
    const count = told.filter(({ revoked }) => revoked !== undefined).length
    if (message.issued !== undefined && count === 3) setImmediate(() => child.kill('SIGKILL'))
  })
  await once(child, 'exit')
  return told
}

const Kills = suite('kill -9 of an authority')

Kills('leaves the state before a revocation or after it, and nothing that was answered is lost', async () => {
  const file = join(temporaryFolder(), 'a.db')
  const told: RevokerMessage[] = []
  for (let kill = 0; kill < KILLS; kill++) told.push(...(await revokeAndKill(file, `kill ${kill}`)))
  const answered = told.flatMap(({ revoked }) => revoked ?? [])
  assert.ok(answered.length >= 3 * KILLS)
  const store = await openStore(`sqlite:${file}`, 'boot B')
  const row = there(await store.revocation.load(BADGE, 0))
  const events = await store.revocation.events(BADGE, 0, { min: 0, max: row.index + 10 })
  assert.is(verifyUpdate({ signed: row.signed, events }, key).index, row.index)
  assert.is(events.length, row.index + 1)
  for (const name of told.flatMap(({ issued }) => issued ?? [])) {
    const left = await store.revocation.unrevoked(BADGE, name)
    assert.ok(left.length === 0 || (left.length === 2 && !answered.includes(name)), name)
    for (const { record } of left) assert.not(events.some(({ e }) => e === record.e))
  }
  await store.close()
})

Kills.run()
