/** Plays paths of the delivery chart with a receiver over real HTTP, one delivery after the other. No server runs before the first attempt,
 *  or after a server was stopped during an attempt. So the player can check a due delivery before it is sent. After every step the player compares
 *  the row, the lists of deliveries, the log and the posts with the model. @module */
import * as assert from 'uvu/assert'
import { replayDelivery } from '../../../actors/deliveries/deliveries.ts'
import { owedCallback } from '../../../actors/deliveries/owed-callback.ts'
import type { StampedDeliveryEvent } from '../../../machines/delivery.ts'
import { isTimer } from '../../../machines/timers.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import { restoreRequest } from '../../../protocol/request.ts'
import { createNode, type SessionNode } from '../../../server/create-node.ts'
import type { DeliveryRow } from '../../../stores/delivery-store.ts'
import type { SessionServerStore } from '../../../stores/store.ts'
import { NO_REVOCATION } from '../../actors/no-revocation.ts'
import { deferred, settle } from '../../actors/node.ts'
import { inTime } from '../../patience.ts'
import { idlePool, settingsOfTest } from '../../server/node-of-test.ts'
import { commitDelivery, commitSession } from '../../stores/commits.ts'
import { sessionRow } from '../../stores/rows.ts'
import { withChanges } from '../../stores/with-changes.ts'
import type { Walk } from '../engine/coverage.ts'
import { passTo, quiet, until } from '../until.ts'
import type { DeliveryEdge, DeliveryPath, DeliveryVariant } from './delivery-paths.ts'
import { BACKOFF, isLate } from './delivery-paths.ts'
import { DeliveryModel } from './model.ts'
import { gateAt, never } from './other-node.ts'
import type { Receiver } from './receiver.ts'

/** The time after which a receiver without an answer has failed. */
const NOTIFY_MS = 10_000
/** The time between steps. It shows whether a step restarts a deadline. */
const STEP_MS = 1
/** The longest time before a server notices the change that a command made. */
const LOOK_MS = 5_000
/** The time that a stopping server gives to its attempts. */
const STOP_MS = 1_000

/** The log line of an attempt, by the state that it led to. */
const LINES: Readonly<Record<string, string>> = {
  delivered: 'callback delivered',
  givenUp: 'callback given up',
  waiting: 'callback not delivered yet',
}

export type World = {
  readonly store: SessionServerStore
  readonly receiver: Receiver
  readonly clock: SimulatedClock
}

export function newWorld(store: SessionServerStore, receiver: Receiver): World {
  return { store, receiver, clock: createSimulatedClock(Date.UTC(2026, 5, 1)) }
}

let count = 0

const isLeaseEnd = ({ event, from }: Pick<DeliveryEdge, 'event' | 'from'>): boolean =>
  from === 'sending' && isTimer(event.type)

/** Plays a path, starting with the commit that creates the delivery.
 *  @param walk records each step that was played and compared */
export async function playDelivery(
  world: World,
  { variant, steps }: DeliveryPath,
  walk: Walk<StampedDeliveryEvent, DeliveryVariant>,
): Promise<void> {
  count += 1
  const url = variant.hasAddress ? world.receiver.url : 'mailto:shop@shop.example'
  const request = restoreRequest(
    JSON.stringify({ callbackUrl: url, validitySec: 120, isLegacy: false, request: { type: 'disclosing' } }),
  )
  const session = sessionRow(`ended${count}`, { status: 'CANCELLED', request })
  const owed = owedCallback(session, world.clock.now())
  assert.ok(await commitSession(world.store, session.id, 0, session, { owed: [owed] }))
  const run = new DeliveryRun(world, owed, variant)
  try {
    for (const [i, edge] of steps.entries()) {
      const next = steps.slice(i + 1).find(({ isAccepted }) => isAccepted)
      await run.play(edge, next !== undefined && isLate(next))
      walk.note(edge, edge.isAccepted ? isLeaseEnd(edge) : edge.event.type !== 'operator.replayed')
    }
  } finally {
    await run.leave()
  }
}

/** One delivery while its path is played. */
class DeliveryRun {
  readonly #world: World
  readonly #id: string
  /** the delivery as it was committed */
  readonly #owed: DeliveryRow
  readonly #hasAddress: boolean
  readonly #model: DeliveryModel
  /** the log lines of the delivery */
  readonly #told: string[] = []
  readonly #note = (id: string, error: unknown): unknown => this.#told.push(`${id}: ${error}`)
  /** opens the commit of the outcome of an attempt without an address */
  readonly #hold = deferred()
  #server: SessionNode | null = null
  #failures = 0
  /** an attempt has had an outcome */
  #hasOutcome = false
  /** Unix ms of the last attempt */
  #begunAt = 0

  constructor(world: World, owed: DeliveryRow, { hasAddress }: DeliveryVariant) {
    this.#world = world
    this.#id = owed.id
    this.#owed = owed
    this.#hasAddress = hasAddress
    this.#model = new DeliveryModel(world.clock.now())
  }

  /** @param isLateNext true if the attempt that begins now must fail after the end of the 24 h */
  async play(edge: DeliveryEdge, isLateNext: boolean): Promise<void> {
    const { clock, store } = this.#world
    const before = await store.deliveries.load(this.#id)
    if (edge.isAccepted) {
      // an attempt without an address ends at once, and only its commit is held
      if (edge.event.type !== 'server.refused') await passTo(clock, clock.now() + STEP_MS, store)
      await this.#cause(edge, isLateNext)
      await until(async () => (await store.deliveries.load(this.#id))?.version !== before?.version)
      assert.equal(this.#model.move(this.#model.stamped(edge, clock.now())), edge.effects, 'effects')
      if (/^receiver|^server/.test(edge.event.type)) this.#hasOutcome = true
      if (edge.effects.includes('post')) this.#begunAt = clock.now()
    } else {
      assert.not(await this.#isTaken(edge), 'taken')
      assert.equal(await store.deliveries.load(this.#id), before, 'refused')
    }
    try {
      await this.#compare()
    } catch (error) {
      if (error instanceof Error) error.message = `after ${edge.trigger} in ${edge.from}: ${error.message}`
      throw error
    }
  }

  /** Removes everything that could disturb the next delivery. */
  async leave(): Promise<void> {
    const { store } = this.#world
    await this.#stop()
    const row = await store.deliveries.load(this.#id)
    if (row !== null) await commitDelivery(store, this.#id, row.version, null)
  }

  async #cause({ event, from }: DeliveryEdge, isLateNext: boolean): Promise<void> {
    if (isLeaseEnd({ event, from })) return this.#endLease()
    if (isTimer(event.type)) return from === 'waiting' ? this.#begin(isLateNext) : this.#pass(this.#dueAt())
    if (event.type === 'attempt.voided') return this.#stop()
    if (event.type === 'server.refused') return this.#hold.resolve()
    if (event.type === 'operator.replayed')
      return assert.ok(await replayDelivery(this.#id, this.#world.store, this.#world.clock))
    const response = this.#world.receiver.waiting.pop()
    if (event.type === 'receiver.accepted') return void response?.writeHead(204).end()
    this.#failures += 1
    if (isLate({ event }) || this.#failures % 3 === 1) return void response?.writeHead(500).end()
    if (this.#failures % 3 === 2) return void response?.destroy()
    await this.#pass(this.#begunAt + NOTIFY_MS)
  }

  #dueAt(): number {
    return this.#model.context.dueAt
  }

  /** Asserts that nothing happens before that time. */
  async #pass(at: number): Promise<void> {
    const { clock, store } = this.#world
    await passTo(clock, at - 1, store)
    assert.is((await store.deliveries.load(this.#id))?.version, this.#model.version, 'before its time')
    await passTo(clock, at, store)
  }

  /** An attempt begins when it is due, or, after a command, when the server next reads due deliveries. */
  async #begin(isLateNext: boolean): Promise<void> {
    const { clock, store } = this.#world
    if (isLateNext) {
      await this.#stop()
      await passTo(clock, this.#model.context.giveUpAt, store)
    }
    const isKnown = this.#server === null || this.#dueAt() > clock.now()
    if (this.#dueAt() > clock.now()) await this.#pass(this.#dueAt())
    this.#server ??= await this.#start()
    if (!isKnown) await this.#untilSeen()
  }

  /** Advances from timer to timer until the server has noticed the change that a command made. */
  async #untilSeen(): Promise<void> {
    const { clock, store } = this.#world
    const isSeen = async () => (await store.deliveries.load(this.#id))?.version !== this.#model.version
    while (!(await isSeen())) {
      const at = clock.nextTimerAt() ?? clock.now()
      assert.ok(at <= this.#dueAt() + LOOK_MS, 'the server reads due deliveries in time')
      await passTo(clock, at, store)
      await settle(50)
    }
  }

  /** Starts a server on the same store. The outcome of an attempt without an address is held before its commit. */
  async #start(): Promise<SessionNode> {
    const { store, clock } = this.#world
    const commit: SessionServerStore['commit'] = async change => {
      if (change.delivery?.row?.state === 'givenUp' && !this.#hasAddress) await this.#hold.promise
      return store.commit(change)
    }
    const note = (facts: unknown, message?: string): void => {
      if (Object(facts).delivery === this.#id) this.#told.push(String(message))
    }
    const settings = settingsOfTest({ callbackBackoff: BACKOFF })
    return createNode(settings, {
      clock,
      fetch,
      random: systemRandomness,
      log: { info: note, warn: note, error: note },
      instead: { store: withChanges(store, { commit }), pool: idlePool(), revocation: NO_REVOCATION },
    })
  }

  /** Stops the server. Posts that have no answer yet wait for the next server. */
  async #stop(): Promise<void> {
    if (this.#server === null) return
    const { clock, receiver, store } = this.#world
    const closed = this.#server.close()
    await quiet(store)
    await passTo(clock, clock.now() + STOP_MS, store)
    await inTime(closed, 'the end of the server')
    this.#server = null
    receiver.waiting.length = 0
  }

  /** True if a separate gate on the same store accepts the event. A command of an operator is sent as a command. */
  async #isTaken(edge: DeliveryEdge): Promise<boolean> {
    const { store, clock } = this.#world
    if (edge.event.type === 'operator.replayed') return replayDelivery(this.#id, store, clock)
    const event = this.#model.stamped(edge, 0) // the gate sets the time of the event
    if (!('attempt' in event)) throw new Error(`expected an outcome of an attempt, got ${event.type}`)
    const gate = gateAt(
      this.#world.store,
      this.#note,
      isLate(edge) ? this.#model.context.giveUpAt : clock.now(),
      () => never,
    )
    const { row, isRefused } = await gate.enter(this.#id, () => ({ event }))
    gate.close()
    return row !== null && !isRefused
  }

  /** Another node finds that the lease of the attempt has elapsed. Meanwhile the clock of the first node stands still. */
  async #endLease(): Promise<void> {
    const gate = gateAt(this.#world.store, this.#note, this.#dueAt(), ({ state, dueAt }) =>
      state === 'sending' ? dueAt : never,
    )
    await gate.enter(this.#id)
    gate.close()
    await this.#stop() // the first node finds that its attempt is void
  }

  async #compare(): Promise<void> {
    const { store, receiver } = this.#world
    const { begun, outcomes } = this.#model
    const row = await store.deliveries.load(this.#id)
    assert.equal(row && shown(row), this.#model.row(), 'row')
    if (row !== null) {
      assert.equal(fixed(row), fixed(this.#owed), 'the fixed columns of the row')
      if (row.message !== null) assert.is(row.message, this.#owed.message, 'message')
      if (this.#hasOutcome) assert.type(row.lastOutcome, 'string', 'the outcome of the last attempt')
    }
    const listed = (await store.deliveries.list()).filter(({ id }) => id === this.#id)
    assert.equal(listed, row === null ? [] : [row], 'list of the operator')
    assert.is((await store.deliveries.sending()).includes(this.#id), row?.state === 'sending', 'being sent')
    const posts = () => receiver.posts.filter(({ key }) => key === this.#id)
    const posted = this.#hasAddress ? begun : 0
    await until(() => posts().length >= posted && this.#told.length >= outcomes.length)
    assert.equal(
      posts(),
      Array.from({ length: posted }, () => posts()[0]),
      'key and body of all posts',
    )
    for (const { method, body } of posts())
      assert.equal([method, JSON.parse(body).status], ['POST', 'CANCELLED'], 'method and status of a post')
    assert.equal(
      this.#told,
      outcomes.map(state => LINES[state]),
      'log',
    )
  }
}

function fixed({ id, owner, cause, chart, host, owedAt }: DeliveryRow): object {
  return { id, owner, cause, chart, host, owedAt }
}

function shown({ version, state, dueAt, giveUpAt, attempts, bootId, message }: DeliveryRow): object {
  const facts = { state, dueAt, giveUpAt, attempts }
  return { ...facts, version, isSending: bootId !== null, hasMessage: message !== null }
}
