/** The rows of sessions that a node caches from a shared store: those that it has read or committed, until it knows that they are outdated. @module */
import * as assert from 'uvu/assert'
import type { SessionServerStore } from '../../stores/store.ts'
import { suite } from '../suite.ts'
import { commitSession } from './commits.ts'
import { until } from './other-connection.ts'
import { fullRow, sessionRow } from './rows.ts'

type Two = { readonly a: SessionServerStore; readonly b: SessionServerStore }

type Rule = (two: Two) => Promise<void>

const SECOND = fullRow('s')

function versionIn({ sessions }: SessionServerStore): number | null {
  return sessions.recent?.('id-s')?.version ?? null
}

const RULES: readonly (readonly [string, Rule])[] = [
  [
    'a node caches the rows that it commits and reads',
    async ({ a, b }) => {
      assert.equal([versionIn(a), versionIn(b)], [1, null])
      await b.sessions.load('id-s')
      assert.is(versionIn(b), 1)
      assert.ok(await commitSession(a, 'id-s', 1, SECOND))
      assert.equal(a.sessions.recent?.('id-s'), SECOND)
    },
  ],

  [
    'a cached row is dropped after the notification that another node changed its status',
    async ({ a, b }) => {
      const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
      await b.sessions.load('id-s')
      assert.ok(await commitSession(a, 'id-s', 1, SECOND, { change }))
      await until(() => versionIn(b) === null)
      assert.is(versionIn(a), 2)
    },
  ],

  [
    'a cached row is dropped after a commit on it has failed',
    async ({ a, b }) => {
      await b.sessions.load('id-s')
      assert.ok(await commitSession(a, 'id-s', 1, SECOND))
      assert.is(versionIn(b), 1)
      assert.is(await commitSession(b, 'id-s', 1, SECOND), false)
      assert.is(versionIn(b), null)
    },
  ],

  [
    'a cached row with an answer is dropped together with the answer',
    async ({ a }) => {
      assert.ok(await commitSession(a, 'id-s', 1, SECOND))
      const answeredAt = SECOND.answered?.answeredAt ?? Number.NaN
      await a.sessions.dropAnswers(answeredAt)
      assert.is(versionIn(a), 2)
      await a.sessions.dropAnswers(answeredAt + 1)
      assert.is(versionIn(a), null)
    },
  ],

  [
    'a node drops a deleted row when it commits the deletion, or reads the row again',
    async ({ a, b }) => {
      await b.sessions.load('id-s')
      assert.ok(await commitSession(a, 'id-s', 1, null))
      assert.is(versionIn(a), null)
      assert.is(await a.sessions.findByRequestorToken('requestor-s'), null)
      assert.is(await b.sessions.load('id-s'), null)
      assert.is(versionIn(b), null)
      assert.is(await a.sessions.load('id-s'), null)
    },
  ],

  [
    'a node finds a known requestor token in its cache, and notices a deletion when it loads the session',
    async ({ a, b }) => {
      await b.sessions.load('id-s')
      assert.ok(await commitSession(a, 'id-s', 1, null))
      assert.equal(
        [await b.sessions.findByRequestorToken('requestor-s'), await b.sessions.load('id-s')],
        ['id-s', null],
      )
    },
  ],

  [
    'the insertions and deletions of a node are counted at once',
    async ({ a }) => {
      assert.is(await a.sessions.count(), 1)
      assert.ok(await commitSession(a, 'id-t', 0, sessionRow('t')))
      assert.is(await a.sessions.count(), 2)
      assert.ok(await commitSession(a, 'id-s', 1, SECOND, { sessions: [sessionRow('u')] }))
      assert.is(await a.sessions.count(), 3)
      assert.ok(await commitSession(a, 'id-t', 1, null))
      assert.is(await a.sessions.count(), 2)
    },
  ],
]

/** @param openTwo returns two nodes on an empty store */
export function runKeptRowsSuite(name: string, openTwo: () => Promise<Two>, isSkipped: boolean): void {
  const Kept = suite(`rows that a node caches: ${name}`)
  const test = isSkipped ? Kept.skip : Kept
  for (const [title, hold] of RULES)
    test(title, async () => {
      const two = await openTwo()
      try {
        assert.ok(await commitSession(two.a, 'id-s', 0, sessionRow('s')))
        await hold(two)
      } finally {
        await two.a.close()
        await two.b.close()
      }
    })
  Kept.run()
}
