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
    'what a node commits, and what it reads',
    async ({ a, b }) => {
      assert.equal([versionIn(a), versionIn(b)], [1, null])
      await b.sessions.load('id-s')
      assert.is(versionIn(b), 1)
      assert.ok(await commitSession(a, 'id-s', 1, SECOND))
      assert.equal(a.sessions.recent?.('id-s'), SECOND)
    },
  ],

  [
    'a row is kept no longer once another node has told that its status changed',
    async ({ a, b }) => {
      const change = { id: 'id-s', version: 2, oldStatus: 'INITIALIZED', newStatus: 'CONNECTED' } as const
      await b.sessions.load('id-s')
      assert.ok(await commitSession(a, 'id-s', 1, SECOND, { change }))
      await until(() => versionIn(b) === null)
      assert.is(versionIn(a), 2)
    },
  ],

  [
    'a row is kept no longer once its commit has lost',
    async ({ a, b }) => {
      await b.sessions.load('id-s')
      assert.ok(await commitSession(a, 'id-s', 1, SECOND))
      assert.is(versionIn(b), 1)
      assert.is(await commitSession(b, 'id-s', 1, SECOND), false)
      assert.is(versionIn(b), null)
    },
  ],

  [
    'a row with an answer is kept for as long as the answer is',
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
    'a row that was deleted is kept by nobody who has asked for it',
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
    'a node that has seen a requestor token asks nobody for its session, and sees that it is gone when it loads it',
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
    'what a node adds and deletes is counted at once',
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
  const Kept = suite(`rows that a node keeps: ${name}`)
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
