/** Deliveries in the background: each is made at least once, and only after its commit. A host gets few at a time. @module */

import * as assert from 'uvu/assert'
import type { AttemptOutcome } from '../../actors/deliveries/attempt.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { sharedBy, withChanges } from '../stores/with-changes.ts'
import { suite } from '../suite.ts'
import { accepted, failed, HOUR, owed, START, startWorld } from './delivering.ts'
import { deferred, elapse, settle } from './node.ts'

const Deliveries = suite('deliveries')

Deliveries(
  'a callback is posted as soon as it is owed, and its row then stays without the message',
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

Deliveries('a failed callback is repeated after waits that double, and given up after 24 h', async () => {
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

for (const end of ['delivered', 'givenUp'] as const)
  Deliveries(
    `after a day, one commit deletes the row of a delivery that is ${end}, and changes nothing else`,
    async () => {
      const inner = createMemoryStore()
      const states: string[] = []
      const store = withChanges(inner, {
        async commit(change) {
          if (change.delivery) states.push(change.delivery.row?.state ?? 'forgotten')
          return inner.commit(change)
        },
      })
      const refused = (attempt: number): AttemptOutcome => ({
        event: { type: 'server.refused', attempt },
        words: 'no address',
      })
      const world = startWorld(
        async ({ attempts }) => (end === 'delivered' ? accepted(attempts) : refused(attempts)),
        store,
      )
      await world.owe(owed('d'))
      await elapse(world.clock, 25 * HOUR)
      assert.equal(states, ['sending', end, 'forgotten'])
    },
  )

Deliveries('the last attempt is made at the end of the 24 h, and none after it', async () => {
  const forEver = new Promise<never>(() => {})
  const world = startWorld(({ attempts }) => (attempts > 3 ? forEver : Promise.resolve(failed(attempts))))
  await world.owe(owed('d', { giveUpAt: START + 2_000 }))
  await elapse(world.clock, 5_000)
  assert.equal(
    [world.posted.map(([, at]) => at - START), world.told.at(-1)],
    [[0, 1_000, 2_000], 'd givenUp'],
  )
})

Deliveries(
  'a row that the chart cannot have written is given up and reported, and stays for a day',
  async () => {
    const world = startWorld(async ({ attempts }) => accepted(attempts))
    await world.owe(owed('d', { attempts: -1 }))
    const { state, dueAt } = (await world.store.deliveries.load('d')) ?? owed('none')
    assert.equal([state, dueAt, world.posted], ['givenUp', START + 24 * HOUR, []])
    assert.match(
      world.reports.join(),
      /^d: Error: delivery chart: the stored facts are not those of chart \d$/,
    )
  },
)

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

Deliveries(
  '8 callbacks to one host are posted at a time, and a host that never answers delays no other host',
  async () => {
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
  },
)

Deliveries('1,000 callbacks to all hosts together are posted at a time', async () => {
  const answer = deferred()
  const world = startWorld(async ({ attempts }) => {
    await answer.promise
    return accepted(attempts)
  })
  await world.owe(...Array.from({ length: 1_002 }, (_, i) => owed(`d${i}`, { host: `h${i % 500}` })))
  await settle(200)
  assert.is(world.posted.length, 1_000)
  answer.resolve()
  await elapse(world.clock, 5_000) // the next look finds the deliveries to hosts without an attempt
  assert.is(world.posted.length, 1_002)
})

Deliveries(
  'nothing is posted before its attempt is committed (spec/laws#1), and a store that fails is asked again later',
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

Deliveries('of two processes on one store, only one posts a callback', async () => {
  const store = createMemoryStore()
  const clock = createSimulatedClock(START)
  const worlds = [1, 2].map(() => startWorld(async ({ attempts }) => accepted(attempts), store, clock))
  const [first] = worlds
  await first?.owe(owed('d'), owed('e'))
  await elapse(clock, 60_000)
  assert.equal(worlds.flatMap(({ posted }) => posted.map(([id]) => id)).sort(), ['d', 'e'])
})

Deliveries(
  'an attempt that another node begins first does not delay the other callbacks to its host',
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
  'an attempt with an internal error is reported, and the next attempt follows when its lease has elapsed',
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
  'a store that fails when an attempt begins and when it ends makes only this attempt fail',
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
    const answer = deferred<AttemptOutcome>()
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
  'callbacks that are owed to one host at the same time are read once each, and only when the host has a free place',
  async () => {
    const inner = createMemoryStore()
    const limits: number[] = []
    const dueOf = inner.deliveries.dueOf.bind(inner.deliveries)
    Object.assign(inner.deliveries, {
      dueOf(host: string, at: number, limit: number) {
        limits.push(limit)
        return dueOf(host, at, limit)
      },
    })
    const world = startWorld(() => new Promise(() => {}), inner)
    await world.owe(...Array.from({ length: 40 }, (_, i) => owed(`d${i}`)))
    await world.owe(owed('later'))
    assert.equal([limits, world.posted.length], [[16], 8])
  },
)

Deliveries.run()
