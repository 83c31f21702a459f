/** The delay of deadlines (spec/laws#3). A node has one timer for all sessions, set to the next deadline in the store. @module */
import * as assert from 'uvu/assert'
import { Deadlines as Timed } from '../../actors/deadlines.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { suite } from '../suite.ts'
import { createTestNode, elapse, MINUTE, newSessionOf, settle, type TestNode } from './node.ts'

const Deadlines = suite('deadlines of many sessions')

const SESSIONS = 1_000
const LATEST_MS = 100

/** The timeouts of the sessions in ms, spread over a minute and out of order: 367 and 1,000 have no common factor. */
const STAYS = Array.from({ length: SESSIONS }, (_, i) => 60 + ((i * 367) % SESSIONS) * 59)

/** Opens a session that no app connects to. @returns its deadline, Unix ms */
async function open({ sessions, clock }: TestNode, name: string, timeoutMs: number): Promise<number> {
  const { deadlineAt } = await sessions.open(newSessionOf(name, { timeoutMs, hasCallback: false }))
  assert.is(deadlineAt, clock.now() + timeoutMs)
  return deadlineAt
}

/** @returns a list that gets the time of each later end of a session, Unix ms, in order */
function endsIn({ store, clock }: TestNode): number[] {
  const ends: number[] = []
  store.subscribe((_id, change) => {
    if (change?.newStatus === 'TIMEOUT') ends.push(clock.now())
  })
  return ends
}

/** Compares ends and deadlines, both in the order of time. Fails also if a session ended before its deadline. */
function assertInTime(ends: readonly number[], deadlines: readonly number[]): void {
  assert.is(ends.length, deadlines.length)
  const late = deadlines
    .toSorted((a, b) => a - b)
    .map((deadlineAt, i) => (ends[i] ?? Number.NaN) - deadlineAt)
  assert.ok(late.every(ms => ms >= 0))
  assert.ok(
    late.every(ms => ms <= LATEST_MS),
    `expected at most ${LATEST_MS} ms, got ${Math.max(...late)}`,
  )
}

Deadlines(
  '1,000 deadlines within a minute, which another process left, fire within 100 ms of their times',
  async () => {
    const before = createTestNode()
    const deadlines: number[] = []
    for (const [i, stayMs] of STAYS.entries()) deadlines.push(await open(before, `s${i}`, stayMs))
    await before.sessions.close()
    const node = createTestNode({ store: before.store, clock: before.clock, bootId: 'boot B' })
    const ends = endsIn(node)
    await elapse(node.clock, MINUTE)
    assertInTime(ends, deadlines)
    await node.sessions.close()
  },
)

Deadlines(
  '1,000 deadlines of sessions that begin within half a minute fire within 100 ms of their times',
  async () => {
    const node = createTestNode()
    const ends = endsIn(node)
    const deadlines: number[] = []
    for (const [i, stayMs] of STAYS.entries()) {
      deadlines.push(await open(node, `s${i}`, Math.ceil(stayMs / 2)))
      if (i % 10 === 9) await elapse(node.clock, 300)
    }
    await elapse(node.clock, MINUTE / 2)
    assertInTime(ends, deadlines)
    await node.sessions.close()
  },
)

/** A clock that records its pending timers. */
function countingClock(): { readonly clock: SimulatedClock; readonly standing: Set<object> } {
  const clock = createSimulatedClock(1_000_000)
  const standing = new Set<object>()
  const counting: SimulatedClock = {
    ...clock,
    setTimeout(callback, ms) {
      const timer = clock.setTimeout(() => {
        standing.delete(timer)
        callback()
      }, ms)
      standing.add(timer)
      return timer
    },
    clearTimeout(timer) {
      standing.delete(timer)
      clock.clearTimeout(timer)
    },
  }
  return { clock: counting, standing }
}

Deadlines('one timer is pending for any number of sessions', async () => {
  const { clock, standing } = countingClock()
  const node = createTestNode({ clock })
  await elapse(clock, 0)
  assert.is(standing.size, 1)
  for (const [i, stayMs] of STAYS.entries()) await open(node, `s${i}`, stayMs)
  assert.is(standing.size, 1)
  await elapse(clock, MINUTE / 2)
  assert.is(standing.size, 1)
  await node.sessions.close()
  assert.is(standing.size, 0)
})

Deadlines(
  'rows that stay due after their turns wait for the next look, even if they fill a batch',
  async () => {
    const names = Array.from({ length: 256 }, (_, i) => `${i}`)
    let batches = 0
    const { deadlines } = timed([], {
      due: async () => {
        batches += 1
        return batches > 10 ? [] : names
      },
      enter: async () => null,
    })
    await settle()
    deadlines.close()
    assert.is(batches, 2)
  },
)

/** Deadlines for these names. A name is due until its turn has begun. */
function timed(due: string[], more: Partial<ConstructorParameters<typeof Timed>[0]> = {}) {
  const clock = createSimulatedClock()
  const entered: string[] = []
  const deadlines = new Timed({
    clock,
    apart: null,
    due: async (_at, limit) => due.slice(0, limit),
    nextAfter: async () => null,
    enter: async name => {
      entered.push(name)
      due.splice(due.indexOf(name), 1)
    },
    report: () => {},
    ...more,
  })
  deadlines.start()
  return { clock, deadlines, entered }
}

Deadlines('one look starts the turns of all due rows, also of more than one batch', async () => {
  const { deadlines, entered } = timed(Array.from({ length: 1_000 }, (_, i) => `${i}`))
  await settle(200)
  deadlines.close()
  assert.is(entered.length, 1_000)
})

Deadlines(
  'the cleaning task of a look runs once in five seconds, even if rows are due more often',
  async () => {
    const tidied: number[] = []
    const { clock, deadlines } = timed([], { tidy: async now => void tidied.push(now) })
    const startedAt = clock.now()
    await settle()
    for (const waitMs of [1_000, 3_999]) {
      deadlines.note(clock.now() + waitMs)
      await elapse(clock, waitMs)
    }
    assert.equal(tidied, [startedAt])
    await elapse(clock, 1)
    deadlines.note(clock.now())
    await elapse(clock, 0)
    assert.equal(tidied, [startedAt, startedAt + 5_000])
    deadlines.close()
  },
)

Deadlines.run()
