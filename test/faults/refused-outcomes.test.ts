/** spec/laws#2: an outcome that the store refuses permanently ends its claim at once. The same commit would fail again, so no caller waits for a repetition. @module */
import * as assert from 'uvu/assert'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { connectedNode, settle, VALID } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { type Fault, faultyStore } from './faulty-store.ts'
import { rejection } from './rejection.ts'

const REFUSED = 'expected a row that can be stored'

/** Stores a claim for a submission. The next commits fail as given. */
async function submitted(...faults: readonly Fault[]) {
  const store = faultyStore(createMemoryStore())
  const node = await connectedNode({
    store,
    async check() {
      store.faults.push(...faults)
      return VALID
    },
  })
  return { store, node }
}

const Refused = suite('spec/laws#2: an outcome that the store refuses')

Refused('the app is answered 500 at once, the session is cancelled, and the log has the cause', async () => {
  const { store, node } = await submitted('refuses')
  assert.match(await node.submit(), /^\{"status":500,"error":"INTERNAL_ERROR"/)
  const row = await node.row()
  assert.equal([row?.status, row?.claim], ['CANCELLED', null])
  assert.match(row?.result?.text ?? '', 'INTERNAL_ERROR')
  assert.equal(node.reports, [`${row?.id}: ${REFUSED}`])
  assert.is(await store.deliveries.count(), 1, 'its callback is owed')
  await node.sessions.close()
})

Refused('an outcome whose commit first fails temporarily is repeated before it is refused', async () => {
  const { node } = await submitted('fails', 'refuses')
  assert.match(await node.submit(), /^\{"status":500/)
  await node.sessions.close()
})

Refused('if the cancellation is refused too, the claim is void and the app may submit again', async () => {
  const { store, node } = await submitted('refuses', 'refuses')
  assert.match(await rejection(node.submit()), 'ended without an outcome')
  const row = await node.row()
  assert.equal([row?.status, row?.claim, node.reports.length], ['CONNECTED', null, 2])
  assert.is(store.faults.length, 0)
  await node.sessions.close()
})

Refused('if the store refuses all commits, no attempt follows', async () => {
  const { store, node } = await submitted('refuses', 'refuses', 'refuses')
  const waiting = rejection(node.submit())
  await settle()
  const { commits } = store
  node.clock.advance(1_000)
  await settle()
  assert.equal([store.commits, node.reports.length], [commits, 3])
  await node.sessions.close()
  await waiting
})

Refused.run()
