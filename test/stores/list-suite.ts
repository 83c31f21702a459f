/** Rules for the lists of every session store. @module */
import * as assert from 'uvu/assert'
import type { SessionServerStore } from '../../stores/store.ts'
import { commitDelivery, commitSession } from './commits.ts'
import { fullRow, owedRow, sessionRow } from './rows.ts'

export const LIST_TESTS: Readonly<Record<string, (store: SessionServerStore) => Promise<void>>> = {
  async 'the newest sessions are listed, the newest first, with the columns that a list shows'(store) {
    for (const name of ['s', 't', 'u'])
      assert.ok(await commitSession(store, `id-${name}`, 0, sessionRow(name)))
    assert.ok(await commitSession(store, 'id-s', 1, fullRow('s')))
    assert.ok(await commitSession(store, 'id-u', 1, null))
    assert.equal(
      (await store.sessions.newest(5)).map(({ id, version }) => [id, version]),
      [
        ['id-t', 1],
        ['id-s', 2],
      ],
    )
    const [first] = await store.sessions.newest(1)
    const { id, version, chart, status, deadlineAt, claim, requestor, snapshot } = sessionRow('t')
    const listed = { id, version, chart, status, deadlineAt, claim, requestor, snapshot }
    assert.equal({ ...sessionRow('t'), ...first }, { ...sessionRow('t'), ...listed })
  },

  async 'the newest deliveries are listed, the newest first, and all are counted'(store) {
    assert.is(await store.deliveries.count(), 0)
    const owed = ['a', 'b', 'c'].map(id => owedRow(id))
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed }))
    assert.ok(await commitDelivery(store, 'b', 1, owedRow('b', { version: 2, state: 'delivered' })))
    assert.ok(await commitDelivery(store, 'c', 1, null))
    assert.is(await store.deliveries.count(), 2)
    const [b, a, ...others] = await store.deliveries.newest(5)
    assert.equal(others, [])
    const { id, version, state, cause, owedAt, dueAt, giveUpAt, attempts } = owedRow('a')
    const listed = { id, version, state, cause, owedAt, dueAt, giveUpAt, attempts }
    assert.equal({ ...owedRow('a'), ...a }, { ...owedRow('a'), ...listed })
    assert.equal([b?.id, b?.version, b?.state], ['b', 2, 'delivered'])
    assert.equal(
      (await store.deliveries.newest(1)).map(each => each.id),
      ['b'],
    )
  },

  async 'deliveries that have not ended are counted by host and by requestor, up to a limit'(store) {
    const { deliveries } = store
    const owed = [
      owedRow('a'),
      owedRow('b', { requestor: '' }),
      owedRow('c', { host: 'other.example', dueAt: 50_000 }),
      owedRow('mail', { requestor: null }),
    ]
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed }))
    const counts = () =>
      Promise.all([
        ...[{ host: 'shop.example' }, { requestor: 'shop' }, { requestor: '' }, { host: 'none' }].map(by =>
          deliveries.countOwed(by, 9),
        ),
        deliveries.countOwed({ host: 'shop.example' }, 2),
      ])
    assert.equal(await counts(), [3, 2, 1, 0, 2])
    const sending = owedRow('a', { version: 2, state: 'sending', bootId: 'boot A' })
    assert.ok(await commitDelivery(store, 'a', 1, sending))
    assert.equal(await counts(), [3, 2, 1, 0, 2])
    const ended = owedRow('a', { version: 3, state: 'delivered', message: null })
    assert.ok(await commitDelivery(store, 'a', 2, ended))
    assert.ok(await commitDelivery(store, 'c', 1, null))
    assert.equal(await counts(), [2, 0, 1, 0, 2])
    assert.equal(await deliveries.load('b'), owed[1])
  },
}
