/** The rules of every store of sessions. @module */

import * as assert from 'uvu/assert'
import type { Commit, SessionServerStore } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { suite } from '../suite.ts'
import { commitAccumulators, commitDelivery, commitSession, rejects } from './commits.ts'
import { LIST_TESTS } from './list-suite.ts'
import { RACE_TESTS } from './race-suite.ts'
import { accumulatorRow, eventRow, firstOf } from './revocation-suite.ts'
import { CLAIM, fullRow, owedRow, sessionRow } from './rows.ts'

const TESTS: Readonly<Record<string, (store: SessionServerStore) => Promise<void>>> = {
  async 'a row is read as it was stored, column by column'(store) {
    for (const row of [sessionRow('s'), fullRow('t')]) {
      assert.ok(await commitSession(store, row.id, 0, row))
      assert.equal(await store.sessions.load(row.id), row)
    }
  },

  async 'a commit changes every changing column, and another one changes it back'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    const { requestor, request, ...changed } = fullRow('s')
    const row = { ...sessionRow('s'), ...changed }
    assert.ok(await commitSession(store, 'id-s', 1, row))
    assert.equal(await store.sessions.load('id-s'), row)
    const back = sessionRow('s', { version: 3 })
    assert.ok(await commitSession(store, 'id-s', 2, back))
    assert.equal(await store.sessions.load('id-s'), back)
  },

  async 'an unknown session is null'(store) {
    assert.is(await store.sessions.load('id-s'), null)
    assert.is(await store.sessions.findByRequestorToken('requestor-s'), null)
    assert.is(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 })), false)
    assert.is(await commitSession(store, 'id-s', 1, null), false)
  },

  async 'a commit on another version changes nothing'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    assert.ok(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2, status: 'CONNECTED' })))
    for (const version of [0, 1, 3])
      assert.is(await commitSession(store, 'id-s', version, sessionRow('s', { version: version + 1 })), false)
    assert.is(await commitSession(store, 'id-s', 1, null), false)
    assert.is((await store.sessions.load('id-s'))?.status, 'CONNECTED')
  },

  async 'a session is found by its requestor token until it is deleted'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    assert.is(await store.sessions.findByRequestorToken('requestor-s'), 'id-s')
    assert.is(await store.sessions.findByRequestorToken('requestor-t'), null)
    assert.ok(await commitSession(store, 'id-s', 1, null))
    assert.is(await store.sessions.load('id-s'), null)
    assert.is(await store.sessions.findByRequestorToken('requestor-s'), null)
  },

  async 'two sessions never share a requestor token'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    await rejects(
      commitSession(store, 'id-t', 0, sessionRow('t', { requestorTokenHash: hashOfToken('requestor-s') })),
    )
    assert.is(await store.sessions.load('id-t'), null)
    assert.is(await store.sessions.findByRequestorToken('requestor-s'), 'id-s')
  },

  async 'a commit stores the row and its inserts, or nothing'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s')))
    const owed = [owedRow('id-s/oweCallback/DONE')]
    const next = [sessionRow('next')]
    assert.is(
      await commitSession(store, 'id-s', 7, sessionRow('s', { version: 8 }), { owed, sessions: next }),
      false,
    )
    assert.equal([await store.deliveries.list(), await store.sessions.load('id-next')], [[], null])
    assert.ok(
      await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), { owed, sessions: next }),
    )
    assert.equal([await store.deliveries.list(), await store.sessions.load('id-next')], [owed, next[0]])
    assert.is(await store.sessions.findByRequestorToken('requestor-next'), 'id-next')
  },

  async 'an insert that collides is an error, and the row and the other inserts are not stored'(store) {
    const owed = owedRow('id-s/oweCallback/DONE')
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [owed] }))
    const moved = sessionRow('s', { version: 2 })
    await rejects(commitSession(store, 'id-s', 1, moved, { owed: [owedRow('other'), owed] }))
    await rejects(commitSession(store, 'id-s', 1, moved, { sessions: [sessionRow('next'), sessionRow('s')] }))
    const sameToken = sessionRow('next', { requestorTokenHash: hashOfToken('requestor-s') })
    await rejects(commitSession(store, 'id-s', 1, moved, { sessions: [sameToken] }))
    assert.is((await store.sessions.load('id-s'))?.version, 1)
    assert.equal(await store.deliveries.list(), [owed])
    assert.is(await store.sessions.load('id-next'), null)
    assert.is(await store.sessions.count(), 1)
  },

  async 'a failing commit does not affect concurrent ones'(store) {
    const owed = [owedRow('one')]
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed }))
    const outcomes = await Promise.allSettled([
      commitSession(store, 'id-a', 0, sessionRow('a')),
      commitSession(store, 'id-b', 0, sessionRow('b'), { owed }),
      commitSession(store, 'id-s', 9, sessionRow('s')),
      commitSession(store, 'id-c', 0, sessionRow('c')),
    ])
    const short = outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : 'error'))
    assert.equal(short, [true, 'error', false, true])
    assert.is(await store.sessions.load('id-b'), null)
    assert.is((await store.sessions.load('id-c'))?.version, 1)
  },

  async 'sessions whose deadline or lease has passed are due, the oldest first'(store) {
    const claimed = { deadlineAt: 1_000, claim: { ...CLAIM, leaseUntil: 6_000 } }
    const rows = [
      sessionRow('late', { deadlineAt: 9_000 }),
      sessionRow('second', { deadlineAt: 5_000 }),
      sessionRow('first', { deadlineAt: 4_000, chart: null }),
      sessionRow('claimed', claimed),
      sessionRow('newer', { deadlineAt: 3_000, chart: 2 }),
    ]
    for (const row of rows) assert.ok(await commitSession(store, row.id, 0, row))
    assert.equal(await store.sessions.due(3_999, 1, 10), [])
    assert.equal(await store.sessions.due(5_000, 1, 10), ['id-first', 'id-second'])
    assert.equal(await store.sessions.due(6_000, 1, 10), ['id-first', 'id-second', 'id-claimed'])
    assert.equal(await store.sessions.due(9_000, 1, 2), ['id-first', 'id-second'])
    const next = (at: number) => store.sessions.nextDueAfter(at, 1)
    assert.equal([await next(2_000), await next(4_000), await next(5_000)], [4_000, 5_000, 6_000])
    assert.equal([await next(9_000), await store.sessions.nextDueAfter(2_000, 2)], [null, 3_000])
    assert.equal(await store.sessions.due(3_000, 2, 10), ['id-newer'])
    assert.ok(
      await commitSession(store, 'id-first', 1, sessionRow('first', { version: 2, deadlineAt: 10_000 })),
    )
    assert.equal(await store.sessions.due(5_000, 1, 10), ['id-second'])
  },

  async 'a commit that is refused for its version inserts no delivery'(store) {
    const late = { owed: [owedRow('late')] }
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s', { version: 2 })))
    assert.is(await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), late), false)
    assert.is(await store.deliveries.load('late'), null)
    assert.equal(await store.deliveries.dueHosts(9_000, 10), [])
  },

  async 'stored answers are dropped by age, without a new version of the row'(store) {
    const answered = { callHash: 'h', version: 1, answeredAt: 1_000 }
    const answer = { status: 200, contentType: null, body: '' }
    const old = sessionRow('old', { answered: { ...answered, answer } })
    const young = sessionRow('young', { answered: { ...answered, answer, answeredAt: 2_000 } })
    for (const row of [old, young, sessionRow('none')]) assert.ok(await commitSession(store, row.id, 0, row))
    await store.sessions.dropAnswers(2_000)
    assert.equal(await store.sessions.load('id-old'), { ...old, answered: null })
    assert.equal(await store.sessions.load('id-young'), young)
  },

  async 'the count follows creation and deletion'(store) {
    for (const name of 'abc') assert.ok(await commitSession(store, `id-${name}`, 0, sessionRow(name)))
    await commitSession(store, 'id-a', 1, sessionRow('a', { version: 2 }), { sessions: [sessionRow('next')] })
    await commitSession(store, 'id-a', 0, sessionRow('a'))
    assert.is(await store.sessions.count(), 4)
    await commitSession(store, 'id-b', 1, null)
    await commitSession(store, 'id-b', 1, null)
    assert.is(await store.sessions.count(), 3)
  },

  async 'subscribers are notified after every commit, in order, and of nothing else'(store) {
    const heard: string[] = []
    const stop = store.subscribe((id, change) => heard.push(`${id} ${change?.newStatus ?? ''}`))
    const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
    await commitSession(store, 'id-s', 0, sessionRow('s'))
    await Promise.all([
      commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), { change }),
      commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), { change }),
      commitSession(store, 'id-t', 0, sessionRow('t')),
    ])
    await commitSession(store, 'id-s', 2, null)
    stop()
    await commitSession(store, 'id-t', 1, null)
    // the changes of one row in their order
    const heardOf = (id: string): readonly string[] => heard.filter(each => each.startsWith(id))
    assert.equal([heardOf('id-s'), heardOf('id-t')], [['id-s ', 'id-s CONNECTED', 'id-s '], ['id-t ']])
  },

  async 'a delivery changes only from the version that is stored'(store) {
    const { deliveries } = store
    const row = owedRow('d')
    assert.is(await commitDelivery(store, 'd', 0, row), false)
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [row] }))
    assert.equal(await deliveries.load('d'), row)
    const sending = owedRow('d', {
      version: 2,
      state: 'sending',
      attempts: 1,
      dueAt: 31_000,
      bootId: 'boot A',
    })
    assert.ok(await commitDelivery(store, 'd', 1, sending))
    assert.is(await commitDelivery(store, 'd', 1, owedRow('d', { version: 2 })), false)
    assert.equal(await deliveries.load('d'), sending)
    assert.equal(await deliveries.sending(), ['d'])
    const ended = owedRow('d', { version: 3, state: 'delivered', lastOutcome: 'answered 204', message: null })
    assert.ok(await commitDelivery(store, 'd', 2, ended))
    assert.equal(await deliveries.load('d'), ended)
    assert.is(await commitDelivery(store, 'd', 2, null), false)
    assert.ok(await commitDelivery(store, 'd', 3, null))
    assert.equal([await deliveries.load('d'), await deliveries.sending()], [null, []])
  },

  async 'deliveries that are due are found by host, the oldest first'(store) {
    const { deliveries } = store
    const owed = [
      owedRow('late', { dueAt: 3_000 }),
      owedRow('second', { dueAt: 1_001 }),
      owedRow('first', { dueAt: 1_000 }),
      owedRow('other', { host: 'other.example', dueAt: 2_500 }),
    ]
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed }))
    assert.equal(await deliveries.dueOf('shop.example', 999, 9), [])
    assert.equal(await deliveries.dueOf('shop.example', 2_000, 9), ['first', 'second'])
    assert.equal(await deliveries.dueOf('shop.example', 9_000, 1), ['first'])
    assert.equal(await deliveries.dueHosts(2_000, 9), ['shop.example'])
    assert.equal([...(await deliveries.dueHosts(2_500, 9))].sort(), ['other.example', 'shop.example'])
    assert.equal((await deliveries.dueHosts(2_500, 1)).length, 1)
    const next = (at: number) => deliveries.nextDueAfter(at)
    assert.equal([await next(999), await next(1_000), await next(2_500)], [1_000, 1_001, 3_000])
    assert.is(await next(3_000), null)
    assert.equal(await deliveries.list(), owed)
  },

  async 'one commit sets rows of every part, or of none'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    assert.ok(await commitAccumulators(store, [firstOf()]))
    const session = { id: 'id-s', version: 1, row: sessionRow('s', { version: 2 }) }
    const delivery = { id: 'd', version: 1, row: owedRow('d', { version: 2 }) }
    const accumulators = [{ row: accumulatorRow({ version: 2, index: 1 }), events: [eventRow(1)] }]
    const late: Commit[] = [
      { session: { ...session, version: 7 }, delivery, accumulators },
      { session, delivery: { ...delivery, version: 7 }, accumulators },
      { session, delivery, accumulators: [{ row: accumulatorRow({ version: 7 }) }] },
    ]
    const versions = async () => [
      (await store.sessions.load('id-s'))?.version,
      (await store.deliveries.load('d'))?.version,
      (await store.revocation.load(accumulatorRow().type, 0))?.version,
    ]
    for (const commit of late) {
      assert.is(await store.commit(commit), false)
      assert.equal(await versions(), [1, 1, 1])
    }
    await rejects(store.commit({ session, delivery, accumulators, inserts: { owed: [owedRow('d')] } }))
    assert.equal(await versions(), [1, 1, 1])
    assert.ok(await store.commit({ session, delivery, accumulators }))
    assert.equal(await versions(), [2, 2, 2])
  },

  async 'subscribers are notified of sessions only'(store) {
    assert.ok(await commitSession(store, 'id-s', 0, sessionRow('s'), { owed: [owedRow('d')] }))
    const heard: string[] = []
    store.subscribe(id => heard.push(id))
    assert.ok(await commitDelivery(store, 'd', 1, owedRow('d', { version: 2 })))
    assert.ok(await commitAccumulators(store, [firstOf()]))
    assert.equal(heard, [])
  },

  async 'subscribers get the deliveries that a commit owes'(store) {
    const heard: (string | undefined)[] = []
    store.subscribe((_id, _change, owed) => heard.push(owed?.map(({ id }) => id).join()))
    await commitSession(store, 'id-s', 0, sessionRow('s'))
    await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), { owed: [owedRow('d')] })
    await commitSession(store, 'id-s', 1, sessionRow('s', { version: 2 }), { owed: [owedRow('e')] })
    assert.equal(heard, [undefined, 'd'])
  },

  async 'the own boot id is alive'(store) {
    assert.is(await store.nodes.isAlive('boot A'), true)
  },
}

/** @param open returns a new, empty store
 *  @param isSkipped true if the store's program is missing on this machine */
export function runStoreSuite(
  name: string,
  open: () => Promise<SessionServerStore>,
  isSkipped = false,
): void {
  const Store = suite(`session store ${name}`)
  const test = isSkipped ? Store.skip : Store
  for (const [title, body] of Object.entries({ ...TESTS, ...LIST_TESTS, ...RACE_TESTS }))
    test(title, async () => {
      const store = await open()
      try {
        await body(store)
      } finally {
        await store.close()
      }
    })
  Store.run()
}
