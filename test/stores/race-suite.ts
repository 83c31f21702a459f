/** The rules of every store of sessions for concurrent commits of one row, and for one commit of several rows. @module */
import * as assert from 'uvu/assert'
import { restoreOutcome } from '../../sessions/result.ts'
import type { SessionServerStore } from '../../stores/store.ts'
import { commitDelivery, commitSession } from './commits.ts'
import { owedRow, sessionRow } from './rows.ts'

export const RACE_TESTS: Readonly<Record<string, (store: SessionServerStore) => Promise<void>>> = {
  async 'of many concurrent commits on one version, one succeeds'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    const writers = Array.from({ length: 20 }, (_, i) => restoreOutcome(`${i}`))
    const won = await Promise.all(
      writers.map(result => commitSession(store, 'id-s', 1, sessionRow('s', { version: 2, result }))),
    )
    assert.is(won.filter(isCommitted => isCommitted).length, 1)
    assert.equal((await store.sessions.load('id-s'))?.result, writers[won.indexOf(true)])
  },

  async 'of a concurrent deletion and change of one session, one succeeds'(store) {
    const moved = sessionRow('s', { version: 2 })
    for (const rows of [
      [null, moved],
      [moved, null],
    ]) {
      assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
      const won = await Promise.all(rows.map(row => commitSession(store, 'id-s', 1, row)))
      assert.equal([...won].sort(), [false, true])
      const kept = rows[won.indexOf(true)] ?? null
      assert.equal(await store.sessions.load('id-s'), kept)
      const found = await store.sessions.findByRequestorToken('requestor-s')
      assert.is(found, kept && 'id-s')
      if (kept) assert.ok(await commitSession(store, 'id-s', 2, null))
    }
  },

  async 'of a concurrent deletion and change of one delivery, one succeeds'(store) {
    const moved = owedRow('d', { version: 2, state: 'sending' })
    let version = 0
    for (const rows of [
      [null, moved],
      [moved, null],
    ]) {
      const row = sessionRow('s', { version: version + 1 })
      assert.ok(await commitSession(store, 'id-s', version++, row, { owed: [owedRow('d')] }))
      const won = await Promise.all(rows.map(row => commitDelivery(store, 'd', 1, row)))
      assert.equal([...won].sort(), [false, true])
      const kept = rows[won.indexOf(true)] ?? null
      assert.equal(
        [await store.deliveries.load('d'), await store.deliveries.sending()],
        [kept, kept ? ['d'] : []],
      )
      if (kept) assert.ok(await commitDelivery(store, 'd', 2, null))
      assert.equal(await store.deliveries.sending(), [])
    }
  },

  async 'one commit sets a session and a delivery, or neither'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    const session = { id: 'id-s', version: 1, row: sessionRow('s', { version: 2 }) }
    const delivery = { id: 'd', version: 1, row: owedRow('d', { version: 2 }) }
    const versions = async () => [
      (await store.sessions.load('id-s'))?.version,
      (await store.deliveries.load('d'))?.version,
    ]
    assert.is(await store.commit({ session, delivery: { ...delivery, version: 7 } }), false)
    assert.is(await store.commit({ session: { ...session, version: 7 }, delivery }), false)
    assert.equal(await versions(), [1, 1])
    assert.ok(await store.commit({ session, delivery }))
    assert.equal(await versions(), [2, 2])
  },
}
