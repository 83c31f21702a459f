/** Stored sessions of every earlier chart (test/vectors/snapshots, kept for good): each one wakes in the same state. @module */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { MIGRATIONS } from '../../machines/migrations/migrations.ts'
import { CHART, sessionChart } from '../../machines/session.ts'
import {
  type StoredSnapshot,
  statusOf,
  storedSnapshot,
  wakeSession,
} from '../../machines/session-snapshot.ts'
import { sessionEdges } from '../paths/session-paths.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

type Stored = StoredSnapshot & { readonly title: string; readonly context: object }
type Vectors = { readonly chart: number; readonly snapshots: readonly Stored[] }

const FOLDER = join(PROJECT, 'test/vectors/snapshots')
const all: Vectors[] = readdirSync(FOLDER).map(name => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
const of = (chart: number): readonly Stored[] => all.find(each => each.chart === chart)?.snapshots ?? []

const Stored = suite('stored snapshots')

Stored('the vectors cover every chart so far, and every state of the current chart', () => {
  assert.equal(
    all.map(({ chart }) => chart).sort(),
    Array.from({ length: CHART }, (_, i) => i + 1),
  )
  const states = new Set(sessionEdges().map(({ from }) => from.split(' ')[0]))
  const stored = of(CHART).map(({ value }) =>
    typeof value === 'string' ? value : `CONNECTED.${Object.values(Object(value))}`,
  )
  assert.equal([...states].filter(state => state !== 'forgotten').sort(), [...new Set(stored)].sort())
})

for (const { chart, snapshots } of all)
  for (const { title, value, context } of snapshots)
    Stored(`of chart ${chart}: ${title}`, () => {
      const before = JSON.stringify({ value, context })
      const woken = wakeSession(sessionChart, chart, { value, context })
      assert.is(JSON.stringify({ value, context }), before, 'a migration does not change its argument')
      assert.equal(woken.value, value)
      assert.is(statusOf(woken), typeof value === 'string' ? value : 'CONNECTED')
      assert.equal({ ...woken.context, ...context }, woken.context, 'no fact is lost or changed')
      assert.equal(wakeSession(sessionChart, CHART, storedSnapshot(woken)).context, woken.context)
    })

Stored('a session of chart 1 has no next session and issues nothing', () => {
  const [created] = of(1)
  assert.ok(created)
  const { hasNextSession, issues } = wakeSession(sessionChart, 1, created).context
  assert.equal([hasNextSession, issues], [false, false])
})

Stored('a session of chart 2 counts as not fetched, so that the request may be fetched once more', () => {
  const connected = of(2).find(({ title }) => title === 'connected after pairing')
  assert.ok(connected)
  assert.is(wakeSession(sessionChart, 2, connected).context.isFetched, false)
})

Stored(
  'a session of chart 3 with pairing counts as paired in CONNECTED and DONE, and not if it was cancelled',
  () => {
    const isPaired = (title: string) => {
      const stored = of(3).find(each => each.title === title)
      assert.ok(stored)
      return wakeSession(sessionChart, 3, stored).context.isPaired
    }
    assert.is(isPaired('connected after pairing'), true)
    assert.is(isPaired('a submission is checked, of an app that nothing binds'), true)
    for (const title of ['pairing is on', 'waits for the pairing code', 'connected', 'done', 'cancelled'])
      assert.is(isPaired(title), false, title)
    const done = of(3).find(({ title }) => title === 'done')
    assert.ok(done)
    const afterPairing = { ...done, context: { ...done.context, pairing: 'pin' } }
    assert.is(wakeSession(sessionChart, 3, afterPairing).context.isPaired, true)
  },
)

Stored('a migration accepts any context, and an invalid one is refused when it wakes', () => {
  for (const migrate of MIGRATIONS.values())
    for (const context of [null, undefined, 7, 'text', []])
      assert.is(migrate({ value: 'DONE', context }).value, 'DONE')
  assert.throws(() => wakeSession(sessionChart, 1, { value: 'DONE', context: null }), /not one of chart 1/)
})

Stored.run()
