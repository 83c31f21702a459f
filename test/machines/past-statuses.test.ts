/** The statuses of a session that an observer has missed: those that its chart passed through, on every possible path (spec/interface#3, #6). @module */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { initialTransition, transition } from 'xstate'
import { statusesAfter } from '../../machines/past-statuses.ts'
import { CHART, type SessionSnapshot, type SessionStatus, sessionChart } from '../../machines/session.ts'
import { statusOf, storedSnapshot } from '../../machines/session-snapshot.ts'
import { planOf } from '../paths/engine/plan.ts'
import { SESSION_MODEL } from '../paths/session-paths.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const Past = suite('statuses of a session that an observer has missed')
const at = 0
const ALL = ['INITIALIZED', 'PAIRING', 'CONNECTED', 'DONE', 'CANCELLED', 'TIMEOUT'] as const

/** The stored form of a session in that state. */
function stored(snapshot: SessionSnapshot) {
  const status = statusOf(snapshot)
  return status === null ? null : { status, chart: CHART, snapshot: storedSnapshot(snapshot) }
}

Past(
  'the statuses after a seen one, in order, on every path of the chart; null if it never had that one',
  () => {
    let looks = 0
    for (const { variant, steps } of planOf(SESSION_MODEL).paths) {
      const input = { ...variant, at, timeoutMs: 1, connectedTimeoutMs: 1, retentionMs: 1 }
      let [snapshot] = initialTransition(sessionChart, input)
      const had: SessionStatus[] = ['INITIALIZED']
      for (const { event } of steps) {
        snapshot = transition(sessionChart, snapshot, event)[0]
        const row = stored(snapshot)
        if (row === null) break
        if (row.status !== had.at(-1)) had.push(row.status)
        for (const last of ALL) {
          looks += 1
          const expected = had.includes(last) ? had.slice(had.indexOf(last) + 1) : null
          assert.equal(statusesAfter(last, row), expected, `${last} of ${had}`)
        }
      }
    }
    assert.ok(looks > 1_000)
  },
)

Past(
  'a session that was closed without its chart, or has an unreadable snapshot, has only its final status',
  () => {
    const unread = { value: 'CANCELLED', context: { pairing: 7 } }
    for (const of of [
      { chart: null, snapshot: null },
      { chart: CHART, snapshot: unread },
      { chart: CHART + 1, snapshot: unread },
    ]) {
      const row = { status: 'CANCELLED', ...of } as const
      assert.equal(
        ALL.map(last => statusesAfter(last, row)),
        [['CANCELLED'], ['CANCELLED'], ['CANCELLED'], null, [], null],
      )
    }
    assert.is(statusesAfter('PAIRING', { status: 'CONNECTED', chart: CHART, snapshot: null }), null)
  },
)

Past('the snapshot of an older chart is migrated before its statuses are read', () => {
  const file = join(PROJECT, 'test/vectors/snapshots/chart-3.json')
  const { snapshots } = JSON.parse(readFileSync(file, 'utf8'))
  const snapshot = snapshots.find(({ title }: { title: string }) => title === 'connected after pairing')
  const row = { status: 'CONNECTED', chart: 3, snapshot } as const
  assert.equal(statusesAfter('INITIALIZED', row), ['PAIRING', 'CONNECTED'])
})

Past.run()
