/** Two nodes on one store, random concurrent calls, commits with every kind of fault, a clock that jumps: the laws hold in every run. @module */

import fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { EffectOutcome, PerformEffect } from '../../actors/effects/effects.ts'
import type { StatusChange } from '../../actors/sessions.ts'
import type { SessionEvent } from '../../machines/session-events.ts'
import { restoreOutcome } from '../../sessions/result.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import {
  answerOf,
  createTestNode,
  elapse,
  type FinalOutcome,
  idOf,
  MINUTE,
  newSessionOf,
  settle,
  type TestNode,
} from '../actors/node.ts'
import { followUpsOf } from '../machines/follow-ups.ts'
import { sessionEdges, statusIn } from '../paths/session-paths.ts'
import { suite } from '../suite.ts'
import { type Fault, type FaultyStore, faultyStore } from './faulty-store.ts'

const NAMES = ['s', 't'] as const
const FINAL = ['DONE', 'TIMEOUT', 'CANCELLED']
const MOVES = new Set(sessionEdges().map(({ from, to }) => `${statusIn(from)}>${statusIn(to)}`))

type Call =
  | { readonly type: 'turn'; readonly event: SessionEvent }
  | { readonly type: 'submit'; readonly body: string }
type Round = {
  /** made concurrently */
  readonly calls: readonly {
    readonly node: 0 | 1
    readonly name: (typeof NAMES)[number]
    readonly call: Call
  }[]
  readonly faults: readonly (Fault | null)[]
  readonly elapseMs: number
}

const events: readonly SessionEvent[] = [
  { type: 'frontend.chose', method: 'pin' },
  { type: 'frontend.chose', method: 'none' },
  { type: 'app.connected', protocolVersion: '2.8' },
  { type: 'app.fetched' },
  { type: 'frontend.paired' },
  { type: 'app.failed' },
  { type: 'cancelled' },
]
const calls: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('turn' as const), event: fc.constantFrom(...events) }),
  },
  // connecting and submitting have more weight: otherwise most sessions would be cancelled at once
  {
    weight: 3,
    arbitrary: fc.constantFrom<Call>({
      type: 'turn',
      event: { type: 'app.connected', protocolVersion: '2.8' },
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('submit' as const), body: fc.constantFrom('one', 'two') }),
  },
)
const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    calls: fc.array(
      fc.record({ node: fc.constantFrom(0, 1), name: fc.constantFrom(...NAMES), call: calls }),
      { maxLength: 5 },
    ),
    faults: fc.array(fc.constantFrom<Fault | null>('fails', 'loses', 'unknown', null, null, null), {
      maxLength: 4,
    }),
    elapseMs: fc.constantFrom(0, 0, 0, 500, 9_000, 31_000, 2 * MINUTE, 5 * MINUTE),
  }),
  { minLength: 1, maxLength: 8 },
)

const FAILED = { type: 'server.failed' } as const

/** A step of the work on a submission. In turn, it ends with `end`, ends with a failure, rejects, or never ends. */
function fickle(end: (row: SessionRow) => EffectOutcome): PerformEffect {
  let count = 0
  return row => {
    const turn = count++ % 7
    if (turn === 2) return Promise.reject(new Error('the worker died'))
    if (turn === 4) return new Promise(() => {})
    return Promise.resolve(turn === 5 ? { ...told(row, 'failed'), event: FAILED } : end(row))
  }
}

function told({ claimedBody, claim }: SessionRow, what: string): Omit<FinalOutcome, 'event'> {
  return {
    columns: { result: restoreOutcome(`"${claimedBody}"`) },
    answer: answerOf(`${what} ${claim?.number}`),
  }
}

/** Sessions of one name are plain. Those of the other name issue, and have a next session. */
function fickleWork() {
  return {
    check: fickle(row => {
      const event = { type: 'server.checked', isValid: true } as const
      return followUpsOf(row.snapshot).issues
        ? { event, progress: 'checked' }
        : { ...told(row, 'checked'), event }
    }),
    askNext: fickle(() => ({ event: { type: 'server.askedNext' }, progress: 'asked' })),
    sign: fickle(row => {
      const opens = newSessionOf(`child-${row.claim?.number}`)
      return { ...told(row, 'signed'), event: { type: 'server.signed' }, opens }
    }),
  }
}

class World {
  readonly store: FaultyStore
  readonly nodes: readonly TestNode[]
  readonly changes: StatusChange[] = []
  /** answers that callers got, by session and body */
  readonly told: { readonly name: string; readonly body: string; readonly text: string }[] = []
  readonly known = new Map<string, SessionRow>()

  constructor() {
    this.store = faultyStore(createMemoryStore())
    const work = fickleWork()
    const limits = { maxLive: 1 }
    const first = createTestNode({ store: this.store, ...work, limits })
    this.nodes = [
      first,
      createTestNode({ store: this.store, clock: first.clock, bootId: 'boot B', ...work, limits }),
    ]
    this.store.subscribe((_id, change) => change && this.changes.push(change))
  }

  get first(): TestNode {
    return this.nodes[0] ?? (assert.unreachable('two nodes') as never)
  }

  /** @returns the number of calls that have not ended */
  async play({ calls, faults, elapseMs }: Round): Promise<number> {
    let open = calls.length
    this.store.faults.splice(0, Number.POSITIVE_INFINITY, ...faults)
    for (const { node, name, call } of calls)
      void this.#make(this.nodes[node] ?? this.first, name, call)
        .catch(() => {}) // an error is an end too
        .then(() => (open -= 1))
    await elapse(this.first.clock, elapseMs)
    this.store.faults.length = 0
    if (open > 0) await elapse(this.first.clock, 16_000)
    return open
  }

  async #make(node: TestNode, name: string, call: Call): Promise<void> {
    if (call.type === 'turn') await node.turn(call.event, name)
    else {
      const text = await node.submit(call.body, name)
      if (!text.startsWith('refused')) this.told.push({ name, body: call.body, text })
    }
  }
}

/** Asserts the laws that hold after every round. */
async function assertLaws(world: World): Promise<void> {
  for (const { oldStatus, newStatus } of world.changes)
    assert.ok(MOVES.has(`${oldStatus}>${newStatus}`), `${oldStatus}>${newStatus} is in no table`)
  const owed = await world.store.deliveries.list()
  for (const name of NAMES) {
    const row = await world.first.row(name)
    const before = world.known.get(name)
    assert.ok(!before || !row || row.version >= before.version, 'versions only grow')
    if (before && row && FINAL.includes(before.status))
      assert.is(row.status, before.status, 'a final status stays')
    const own = world.changes.filter(({ id }) => id === idOf(name))
    assert.equal(
      own.map(({ oldStatus }) => oldStatus),
      ['INITIALIZED', ...own.map(({ newStatus }) => newStatus)].slice(0, own.length),
      'every change begins where the one before it ended',
    )
    if (row) assert.is(own.at(-1)?.newStatus ?? 'INITIALIZED', row.status, 'stored as it was published')
    const ended = own.filter(({ newStatus }) => FINAL.includes(newStatus))
    assert.equal(
      owed.filter(({ owner }) => owner === idOf(name)).map(({ cause }) => cause),
      ended.map(({ newStatus }) => newStatus),
      'a callback is owed exactly once, with the final status',
    )
    if (row?.claim === null) assert.equal([row.claimedBody, row.progress], [null, null])
    if (row) world.known.set(name, row)
    else world.known.delete(name)
  }
}

/** A next session exists if and only if the previous one is done. */
async function assertChildren({ first, store }: World): Promise<void> {
  const [plain, chained] = [await first.row('s'), await first.row('t')]
  const children = (await store.sessions.count()) - [plain, chained].filter(row => row !== null).length
  if (chained) assert.is(children, chained.status === 'DONE' ? 1 : 0, 'never a child without its parent')
  else assert.ok(children <= 1)
}

/** A submission is handled once: every caller with an outcome got the same one, and it is the stored one. */
function assertHandledOnce({ told, known, nodes }: World): void {
  for (const name of NAMES) {
    const own = told.filter(each => each.name === name)
    assert.ok(new Set(own.map(({ text }) => text)).size <= 1, 'one outcome for every caller')
    assert.ok(new Set(own.map(({ body }) => body)).size <= 1, 'of one submission')
    const row = known.get(name)
    if (own[0] && row) assert.is(row.result?.text, `"${own[0].body}"`, 'stored as it was answered')
  }
  const checked = nodes.flatMap(node => node.checked)
  assert.ok(checked.length <= 60)
}

const Random = suite('random faults')

Random('the laws hold after every round of random calls and faults', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async played => {
      const world = new World()
      await world.first.open('s')
      await world.first.open('t', { hasNextSession: true, issues: true })
      for (const round of played) {
        assert.is(await world.play(round), 0, 'every call ends')
        await settle()
        await assertLaws(world)
        await assertChildren(world)
      }
      assertHandledOnce(world)
      for (const { sessions } of world.nodes) await sessions.close()
    }),
    { numRuns: 150, seed: 20_240_601 },
  )
})

Random.run()
