/** Deliveries in the background: each at least once, few at once for a host, nothing before its commit. @module */

import * as assert from 'uvu/assert'
import type { Attempted } from '../../actors/deliveries/attempt.ts'
import { createDeliveries } from '../../actors/deliveries/deliveries.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import type { DeliveryRow } from '../../stores/delivery-store.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { Store } from '../../stores/store.ts'
import { commitSession } from '../stores/commits.ts'
import { owedRow, sessionRow } from '../stores/rows.ts'
import { sharedBy, withChanges } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { deferred, elapse, settle } from './node.ts'

const HOUR = 3_600_000
const START = 1_000
const backoff = { firstMs: 1_000, maxMs: 60_000 }

const accepted = (attempt: number): Attempted => ({
  event: { type: 'receiver.accepted', attempt },
  words: 'answered 204',
})
const failed = (attempt: number): Attempted => ({
  event: { type: 'receiver.failed', attempt, backoff },
  words: 'answered 500',
})

type World = {
  readonly store: Store
  readonly clock: SimulatedClock
  /** ids and times of attempts */
  readonly posted: (readonly [id: string, at: number])[]
  readonly reports: string[]
  readonly told: string[]
  owe(...rows: readonly DeliveryRow[]): Promise<void>
  close(): Promise<void>
}

function startWorld(
  post: (row: DeliveryRow, stop: AbortSignal) => Promise<Attempted>,
  store: Store = createMemoryStore(),
  clock: SimulatedClock = createSimulatedClock(START),
): World {
  const posted: [string, number][] = []
  const reports: string[] = []
  const told: string[] = []
  const deliveries = createDeliveries({
    ...{ store, clock, bootId: 'boot A' },
    post(row, stop) {
      posted.push([row.id, clock.now()])
      return post(row, stop)
    },
    tell: ({ id, state }) => told.push(`${id} ${state}`),
    report: (id, error) => reports.push(`${id}: ${error}`),
  })
  return {
    ...{ store, clock, posted, reports, told, close: () => deliveries.close() },
    async owe(...owed) {
      const [first] = owed
      await commitSession(store, `id-${first?.id}`, 0, sessionRow(first?.id ?? ''), { owed })
      await settle()
    },
  }
}

function owed(id: string, changes: Partial<DeliveryRow> = {}): DeliveryRow {
  return owedRow(id, { dueAt: START, owedAt: START, giveUpAt: START + 24 * HOUR, ...changes })
}

const Deliveries = suite('deliveries')

Deliveries(
  'a callback is posted as soon as it is owed, and what is left is a line without its message',
  async () => {
    const world = startWorld(async ({ attempts }) => accepted(attempts))
    await world.owe(owed('d'))
    assert.equal([world.posted, world.told], [[['d', START]], ['d delivered']])
    const { state, message, lastOutcome, attempts } = (await world.store.deliveries.load('d')) ?? owed('none')
    assert.equal([state, message, lastOutcome, attempts], ['delivered', null, 'answered 204', 1])
    await elapse(world.clock, 25 * HOUR)
    assert.equal([await world.store.deliveries.list(), world.posted.length, world.reports], [[], 1, []])
  },
)

Deliveries('it is repeated after waits that double, and given up after 24 h', async () => {
  const world = startWorld(async ({ attempts }) => failed(attempts))
  await world.owe(owed('d'))
  await elapse(world.clock, 70_000)
  const times = world.posted.map(([, at]) => at - START)
  assert.equal(times, [0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000])
  world.clock.advance(24 * HOUR)
  await elapse(world.clock, 70_000)
  const { state, message } = (await world.store.deliveries.load('d')) ?? owed('none')
  assert.equal([state, message, world.told.at(-1)], ['givenUp', null, 'd givenUp'])
  const { length } = world.posted
  await elapse(world.clock, 3 * HOUR)
  assert.is(world.posted.length, length)
})

for (const hours of [-2, 2])
  Deliveries(`a clock that is set by ${hours} hours delays no attempt and gives none up`, async () => {
    const world = startWorld(async ({ attempts }) => (attempts < 4 ? failed(attempts) : accepted(attempts)))
    await world.owe(owed('d'))
    world.clock.setWall(hours * HOUR)
    await elapse(world.clock, 7_000)
    assert.equal(
      world.posted.map(([, at]) => at - START),
      [0, 1_000, 3_000, 7_000],
    )
    assert.is(world.told.at(-1), 'd delivered')
  })

Deliveries('of one host 8 are posted at once, and a host that never answers delays no other', async () => {
  const answer = deferred()
  const world = startWorld(async ({ host, attempts }) => {
    if (host === 'slow.example') await answer.promise
    return accepted(attempts)
  })
  const slow = Array.from({ length: 40 }, (_, i) => owed(`slow${i}`, { host: 'slow.example' }))
  const quick = Array.from({ length: 40 }, (_, i) => owed(`quick${i}`))
  await world.owe(...slow, ...quick)
  await settle(200)
  const count = (name: string): number => world.posted.filter(([id]) => id.startsWith(name)).length
  assert.equal([count('slow'), count('quick')], [8, 40])
  answer.resolve()
  await settle(200)
  assert.is(count('slow'), 40)
  assert.is(new Set(world.posted.map(([id]) => id)).size, 80, 'each once')
})

Deliveries(
  'what was being sent by a process that is gone is sent again at the start, whatever is alive is not',
  async () => {
    const inner = createMemoryStore()
    const store = sharedBy(inner, bootId => bootId === 'boot C')
    const sending = { state: 'sending', attempts: 1, dueAt: START + 30_000 } as const
    const rows = [
      owed('dead', { ...sending, bootId: 'boot B' }),
      owed('alive', { ...sending, bootId: 'boot C' }),
    ]
    await commitSession(inner, 'id-s', 0, sessionRow('s'), { owed: rows })
    const world = startWorld(async ({ attempts }) => accepted(attempts), store)
    await settle(50)
    assert.equal(world.posted, [['dead', START]])
    assert.is((await inner.deliveries.load('dead'))?.attempts, 2)
    await elapse(world.clock, 40_000)
    assert.equal(world.posted.length, 2, 'its lease is over')
  },
)

Deliveries(
  'nothing is posted before its attempt is committed (law 1), and a store that fails is asked again later',
  async () => {
    const inner = createMemoryStore()
    let fails = true
    const store = withChanges(inner, {
      async commit(commit) {
        if (fails && commit.delivery) throw new Error('the store is gone')
        return inner.commit(commit)
      },
    })
    const world = startWorld(async ({ attempts }) => accepted(attempts), store)
    await world.owe(owed('d'))
    assert.equal([world.posted, world.reports.length], [[], 1])
    fails = false
    await elapse(world.clock, 6_000)
    assert.equal(world.told, ['d delivered'])
  },
)

Deliveries('of two processes on one store one posts', async () => {
  const store = createMemoryStore()
  const clock = createSimulatedClock(START)
  const worlds = [1, 2].map(() => startWorld(async ({ attempts }) => accepted(attempts), store, clock))
  const [first] = worlds
  await first?.owe(owed('d'), owed('e'))
  await elapse(clock, 60_000)
  assert.equal(worlds.flatMap(({ posted }) => posted.map(([id]) => id)).sort(), ['d', 'e'])
})

Deliveries(
  'an attempt that another node has begun first does not hold up the others to its host',
  async () => {
    const inner = createMemoryStore()
    const taken = new Set<string>()
    const isTakenFirst = (id = ''): boolean => Number(id.slice(1)) < 8 && !taken.has(id)
    const store = withChanges(inner, {
      async commit(commit) {
        const { id, row } = commit.delivery ?? {}
        if (id === undefined || !row || !isTakenFirst(id)) return inner.commit(commit)
        taken.add(id)
        const other = { ...row, bootId: 'boot B', dueAt: START + 30_000 }
        assert.ok(await inner.commit({ delivery: { id, version: 1, row: other } }))
        return inner.commit(commit)
      },
    })
    const world = startWorld(
      async ({ attempts }) => accepted(attempts),
      sharedBy(store, () => true),
    )
    await world.owe(...Array.from({ length: 20 }, (_, i) => owed(`d${i}`)))
    await settle(200)
    assert.equal([taken.size, world.posted.length, world.reports], [8, 12, []])
    assert.ok(world.posted.every(([, at]) => at === START))
  },
)

Deliveries(
  'an attempt that fails in our own code is reported, and another follows when its lease is over',
  async () => {
    let isBroken = true
    const world = startWorld(async ({ attempts }) => {
      if (isBroken) throw new Error('a bug')
      return accepted(attempts)
    })
    await world.owe(owed('d'))
    assert.equal(world.reports, ['d: Error: a bug'])
    isBroken = false
    await elapse(world.clock, 40_000)
    assert.equal([world.posted.length, world.told], [2, ['d delivered']])
  },
)

Deliveries(
  'a store that is gone as soon as an attempt has begun, and when it is over, ends nothing but this attempt',
  async () => {
    const inner = createMemoryStore()
    let isGone = false
    const store = withChanges(inner, {
      async commit(commit) {
        if (isGone) throw new Error('the store is gone')
        const isCommitted = await inner.commit(commit)
        isGone = commit.delivery !== undefined
        return isCommitted
      },
    })
    const load = inner.deliveries.load.bind(inner.deliveries)
    Object.assign(inner.deliveries, {
      load: async (id: string) => (isGone ? Promise.reject(new Error('the store is gone')) : load(id)),
    })
    const answer = deferred<Attempted>()
    const world = startWorld(() => answer.promise, store)
    await world.owe(owed('d'))
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    try {
      answer.resolve(accepted(1))
      await settle()
      await elapse(world.clock, 1_000)
    } finally {
      process.off('unhandledRejection', note)
    }
    assert.equal([unhandled, world.posted.length], [[], 1])
    assert.ok(world.reports.includes('d: Error: the store is gone'), world.reports.join('; '))
  },
)

Deliveries(
  'a server that stops gives its attempts 1 s; what has no answer then waits for the next start',
  async () => {
    const world = startWorld(
      ({ attempts }, stop) =>
        new Promise(resolve => stop.addEventListener('abort', () => resolve(failed(attempts)))),
    )
    await world.owe(owed('d'))
    const closed = world.close()
    await settle()
    world.clock.advance(1_000)
    await closed
    const { state, dueAt, attempts } = (await world.store.deliveries.load('d')) ?? owed('none')
    assert.equal([state, dueAt, attempts], ['waiting', START + 1_000, 1])
    assert.is(world.clock.nextTimerAt(), null, 'no timer stays')
  },
)

Deliveries.run()
