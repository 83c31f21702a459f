/** A late answer never distorts the deadlines of a node for long. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import { WriteOutcomes } from '../../../stores/outage.ts'
import { PostgresNodes } from '../../../stores/postgres/nodes.ts'
import { Keys } from '../../../stores/redis/keys.ts'
import { RedisNodes } from '../../../stores/redis/nodes.ts'
import type { Nodes } from '../../../stores/store.ts'
import { StoreError } from '../../../stores/store-error.ts'
import { readWell } from '../../../stores/time/renewals.ts'
import { settle } from '../../actors/node.ts'
import { ClusterStore, linkOf } from '../../simulation/cluster-store.ts'
import { Process } from '../../simulation/process.ts'
import { Random } from '../../simulation/random.ts'
import { Schedule } from '../../simulation/schedule.ts'
import { suite } from '../../suite.ts'
import { failureOf } from '../other-connection.ts'

const START = Date.UTC(2026, 10, 22)
const RENEWAL_MS = 3_000

/** The times of a request and its answer in transit, ms; `null`: no answer. */
type Way = readonly [number, number] | null

/** A store with these transit times, one after the other; the last one applies to all later answers. */
function slowStore(ways: readonly Way[], aheadMs: number) {
  const clock = createSimulatedClock(START)
  const store = { asked: 0, aheadMs, ways: [...ways], warnings: [] as string[] }
  const answer = async (): Promise<number> => {
    const way = store.ways[Math.min(store.asked++, store.ways.length - 1)] ?? null
    await Promise.resolve() // a timer that fires does not move the clock
    if (way === null) throw new StoreError('no answer')
    clock.advance(way[0])
    const at = clock.now() + store.aheadMs
    clock.advance(way[1])
    return at
  }
  return { clock, store, answer, warn: (message: string) => void store.warnings.push(message) }
}
type SlowStore = ReturnType<typeof slowStore>

const OPENED = {
  async PostgreSQL({ clock, answer, warn }: SlowStore) {
    const database = {
      all: async <Row>() => [{ now_at: await answer() }] as Row[], // in the form that the statement selects
      run: async () => 0,
      transaction: async () => false,
    }
    const nodes = new PostgresNodes({
      database,
      name: 'db',
      bootId: 'boot A',
      clock,
      warn,
      writes: new WriteOutcomes(),
    })
    await nodes.open()
    return nodes
  },
  async Redis({ clock, answer, warn }: SlowStore) {
    const connection = {
      async ask() {
        const at = await answer()
        return [Math.floor(at / 1_000), (at % 1_000) * 1_000, 1]
      },
    }
    const nodes = new RedisNodes({
      connection,
      clock,
      warn,
      name: 'db',
      bootId: 'boot A',
      keys: new Keys('', 0),
      writes: new WriteOutcomes(),
      regained: async () => assert.unreachable(),
    })
    await nodes.renew(connection)
    await nodes.open()
    return nodes
  },
} satisfies Readonly<Record<string, (slow: SlowStore) => Promise<Nodes>>>

async function pass(clock: SimulatedClock, ms: number): Promise<void> {
  clock.advance(ms)
  await settle()
}

const Renewals = suite('readings of the time of a store')

for (const [engine, open] of Object.entries(OPENED)) {
  Renewals(`${engine}: a starting node repeats late readings until an answer is quick`, async () => {
    const slow = slowStore(
      [
        [1, 2_600],
        [200, 2],
        [1, 1],
      ],
      4_000,
    )
    const nodes = await open(slow)
    assert.equal([nodes.aheadMs(), slow.store.asked, slow.store.warnings], [4_000, 3, []])
  })

  Renewals(`${engine}: a quick answer is enough`, async () => {
    const slow = slowStore([[100, 98]], 4_000)
    const nodes = await open(slow)
    assert.equal([nodes.aheadMs(), slow.store.asked, slow.store.warnings], [4_001, 1, []])
    await pass(slow.clock, RENEWAL_MS - 1)
    assert.is(slow.store.asked, 1)
    await pass(slow.clock, 1)
    assert.is(slow.store.asked, 2)
  })

  Renewals(
    `${engine}: a store that keeps answering late has one warning, and is read again soon`,
    async () => {
      const slow = slowStore([[1, 2_601]], 4_000)
      const { store, clock } = slow
      const nodes = await open(slow)
      assert.equal([nodes.aheadMs(), store.asked], [2_700, 5])
      await pass(clock, 500)
      assert.equal([nodes.aheadMs(), store.asked], [2_700, 6])
      store.ways = [[1, 1]]
      await pass(clock, 500)
      assert.equal([nodes.aheadMs(), store.asked], [4_000, 7])
      await pass(clock, RENEWAL_MS - 1)
      assert.is(store.asked, 7)
      assert.is(store.warnings.length, 1)
      const warning =
        /^store db: expected the time of the store within 200 ms, got no such answer in 5 attempts: .* may be 1302 ms early or late/
      assert.match(store.warnings[0] ?? '', warning)
    },
  )

  Renewals(`${engine}: a node starts with a late answer if no further one arrives`, async () => {
    const slow = slowStore([[1, 2_601], null], 4_000)
    const nodes = await open(slow)
    assert.equal([nodes.aheadMs(), slow.store.asked, slow.store.warnings.length], [2_700, 5, 1])
  })

  Renewals(
    `${engine}: after a late answer that shows a changed clock, the time is read again soon`,
    async () => {
      const slow = slowStore([[1, 1]], 4_000)
      const { store, clock } = slow
      const nodes = await open(slow)
      Object.assign(store, { aheadMs: 9_000, ways: [[1, 2_601]] })
      await pass(clock, RENEWAL_MS)
      assert.equal([nodes.aheadMs(), store.asked], [7_700, 2])
      store.ways = [[1, 1]]
      await pass(clock, 500)
      assert.equal([nodes.aheadMs(), store.asked, store.warnings], [9_000, 3, []])
    },
  )
}

Renewals('an error that is no failure of the store is thrown', async () => {
  const bug = async (): Promise<never> => {
    throw new TypeError('a bug')
  }
  assert.is((await failureOf(readWell({ uncertainMs: () => 101 }, bug))).message, 'a bug')
})

Renewals('Redis: after a late answer on a new connection, the time is read again soon', async () => {
  const slow = slowStore([[1, 1]], 4_000)
  const { store, clock, answer } = slow
  const nodes = await OPENED.Redis(slow)
  Object.assign(store, { aheadMs: 9_000, ways: [[1, 2_601]] })
  await nodes.renew({ ask: async () => [(await answer()) / 1_000, 0, 1] }) // its new connection
  assert.equal([nodes.aheadMs(), store.asked], [7_700, 2])
  store.ways = [[1, 1]]
  await pass(clock, 500)
  assert.equal([nodes.aheadMs(), store.asked], [9_000, 3])
})

Renewals(
  'PostgreSQL: a difference that late answers may explain is accepted, a larger one is refused',
  async () => {
    const off = (aheadMs: number): Promise<Nodes> => OPENED.PostgreSQL(slowStore([[2_601, 1]], aheadMs))
    assert.is((await off(10_000)).aheadMs(), 11_300)
    assert.match(
      (await failureOf(off(10_003))).message,
      /of this machine and of the database to agree, got 11 s/,
    )
  },
)

/** The nodes of a process whose machine is 4 s slow, started on a link with that probability of late answers. */
async function simulated(seed: number, lateness: number) {
  const schedule = new Schedule(START)
  const cluster = new ClusterStore(schedule, () => {})
  const random = new Random(seed, 'link')
  const process = new Process('A', 1, schedule, random, { skewMs: -4_000, drift: 0, setMs: 0 })
  const link = { ...linkOf(random), lateness }
  let nodes: Nodes | null = null
  void cluster.open(process, link).then(store => {
    nodes = store.nodes
  })
  await schedule.run(() => nodes !== null)
  const aheadMs = (): number => nodes?.aheadMs() ?? Number.NaN
  const pass = async (ms: number): Promise<void> => {
    const until = schedule.now + ms
    void schedule.pause(ms)
    await schedule.run(() => schedule.now >= until)
  }
  return { link, aheadMs, pass }
}

Renewals(
  'the simulated store: a node starts with a quick answer, if a quarter of the answers are late',
  async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const aheadMs = (await simulated(seed, 0.25)).aheadMs()
      assert.ok(Math.abs(aheadMs - 4_000) < 10, `seed ${seed}: ${aheadMs}`)
    }
  },
)

Renewals(
  'the simulated store: if all answers are late, a node starts, and reads the time again soon',
  async () => {
    const { link, aheadMs, pass } = await simulated(1, 1)
    assert.ok(aheadMs() < 3_800, `${aheadMs()}`)
    link.lateness = 0
    await pass(600)
    assert.ok(Math.abs(aheadMs() - 4_000) < 10, `${aheadMs()}`)
  },
)

Renewals.run()
