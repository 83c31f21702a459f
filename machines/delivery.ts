/** Delivery statechart: one callback or mail (spec/interface#6, spec/decisions#callbacks), from the commit that causes it to its receiver. It is posted again until the
 *  receiver accepts it or 24 h have passed. The ended delivery stays in the delivery log for a while. Pure: no I/O, clock or randomness; the time is `at` on
 *  the event. `post` is a name without a body. It is on the transition into `sending`, so waking in a state repeats no effect. If the process of an attempt
 *  dies, or its lease elapses, the attempt is void and another one follows. This transition does not look at `giveUpAt`: only an attempt that fails at or
 *  after `giveUpAt` is the last one. So a delivery whose attempts all end without an outcome is tried again, also after 24 h. An actor that starts in the
 *  first state of this chart keeps all of its times by itself; for a restored actor see `timers.ts`. @module */
import { assign, emit, type SnapshotFrom, setup } from 'xstate'
import { z } from 'zod'
import { type DueEvent, type Ends, nextDue, type TimerEvent, timeOf } from './timers.ts'

/** Chart number, stored with every row. It is raised when a stored state could be misread. */
export const DELIVERY_CHART = 1

const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'givenUp'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Delay before the next attempt after a failure: `firstMs`, doubled with each attempt, at most `maxMs`. */
export type Backoff = { readonly firstMs: number; readonly maxMs: number }

/** The gate of deliveries adds `at` (Unix ms). */
export type DeliveryEvent =
  /** a 2xx answer, also of a mail server */
  | { readonly type: 'receiver.accepted'; readonly attempt: number }
  /** no answer in time, or an answer that is not 2xx; `askedMs` is the shortest wait that the receiver asks for */
  | {
      readonly type: 'receiver.failed'
      readonly attempt: number
      readonly backoff: Backoff
      readonly askedMs?: number
    }
  /** the delivery has no address to post to, or the receiver refused it for good */
  | { readonly type: 'server.refused'; readonly attempt: number }
  /** the process that made the attempt is gone: it is unknown whether the attempt arrived */
  | { readonly type: 'attempt.voided'; readonly attempt: number }
  /** make the next attempt now */
  | { readonly type: 'operator.replayed' }

/** The event as the chart receives it. */
export type StampedDeliveryEvent = (DeliveryEvent & Timed) | TimerEvent

type Timed = { readonly at: number }

/** Context of a delivery: small, and free of secrets. */
const deliveryContext = z.strictObject({
  /** Unix ms: next attempt; in `sending` the end of the lease; after the end the removal of the log line */
  dueAt: z.int(),
  /** Unix ms: an attempt that fails at or after this time is the last one. The end of a lease and `attempt.voided` do not read it. */
  giveUpAt: z.int(),
  /** number of attempts begun; also the number of the current one */
  attempts: z.int().nonnegative(),
})
const deliveryFacts = deliveryContext.extend({ state: z.enum(DELIVERY_STATES) })

export type DeliveryContext = Readonly<z.output<typeof deliveryContext>>

/** A delivery at rest: the part of the chart that its row stores. */
export type DeliveryFacts = Readonly<z.output<typeof deliveryFacts>>

/** Its outcome is an event `receiver.…` or `server.refused`. */
export type DeliveryEffect = 'post'

const HOUR_MS = 3_600_000
const GIVE_UP_AFTER_MS = 24 * HOUR_MS
/** The lease of an attempt: several times the longest time that a post may take. */
export const SENDING_LEASE_MS = 30_000
/** How long the log line of an ended delivery is kept. */
const LOG_MS = 24 * HOUR_MS

function retryDelayMs(attempts: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(attempts - 1, 40))
}

type Failed = Extract<DeliveryEvent, { readonly type: 'receiver.failed' }>

function waitMs(attempts: number, { backoff, askedMs = 0 }: Failure): number {
  return Math.max(retryDelayMs(attempts, backoff), askedMs)
}

type Attempt = { readonly attempt: number }
type Failure = Timed & Pick<Failed, 'backoff' | 'askedMs'>

function isCurrentAttempt({ attempts }: DeliveryContext, { attempt }: Attempt): boolean {
  return attempt === attempts
}

const parts = setup({
  types: {
    context: {} as DeliveryContext,
    events: {} as StampedDeliveryEvent,
    input: {} as { readonly at: number },
  },
  delays: {
    // 0 after a timer: a delivery whose lease has elapsed is due at once. A new delivery is due at once too
    pause: ({ context, event }) => context.dueAt - timeOf(event, context.dueAt),
    lease: SENDING_LEASE_MS,
    logLine: LOG_MS,
  },
  guards: {
    isCurrent: ({ context }, attempt: Attempt) => isCurrentAttempt(context, attempt),
    isLast: ({ context }, { at, ...attempt }: Attempt & Timed) =>
      isCurrentAttempt(context, attempt) && at >= context.giveUpAt,
  },
  actions: {
    post: emit({ type: 'post' satisfies DeliveryEffect }),
    // an attempt begins when it is due, and not earlier
    beginAttempt: assign(({ context: { attempts } }, { at }: Timed) => ({
      attempts: attempts + 1,
      dueAt: at + SENDING_LEASE_MS,
    })),
    backOff: assign({
      dueAt: ({ context: { attempts, giveUpAt } }, failure: Failure) =>
        Math.min(failure.at + waitMs(attempts, failure), giveUpAt),
    }),
    dueNow: assign({ dueAt: (_, { at }: Timed) => at }),
    keepLogLine: assign({ dueAt: (_, { at }: Timed) => at + LOG_MS }),
  },
})

/** Parameters of guards and actions, read from the event of their transition, or from the context where time is the cause. */
const stamp = ({ event }: { readonly event: Timed }): Timed => ({ at: event.at })
type Elapsed = { readonly context: DeliveryContext; readonly event: StampedDeliveryEvent }
const due = ({ context, event }: Elapsed): Timed => ({ at: timeOf(event, context.dueAt) })
const attemptOf = ({ event }: { readonly event: Attempt }): Attempt => ({ attempt: event.attempt })
const attemptAt = ({ event }: { readonly event: Attempt & Timed }): Attempt & Timed => ({
  attempt: event.attempt,
  at: event.at,
})

const isCurrent = { type: 'isCurrent', params: attemptOf } as const
const keepLogLine = { type: 'keepLogLine', params: stamp } as const
const dueNow = { type: 'dueNow', params: stamp } as const
const givenUp = { target: 'givenUp', actions: keepLogLine } as const

function firstContext(at: number): DeliveryContext {
  return { dueAt: at, giveUpAt: at + GIVE_UP_AFTER_MS, attempts: 0 }
}

export const deliveryChart = parts.createMachine({
  id: 'delivery',
  context: ({ input: { at } }) => firstContext(at),
  initial: 'waiting',
  states: {
    waiting: {
      after: { pause: { target: 'sending', actions: [{ type: 'beginAttempt', params: due }, 'post'] } },
      // the pause starts again
      on: { 'operator.replayed': { target: 'waiting', reenter: true, actions: dueNow } },
    },
    sending: {
      after: { lease: { target: 'waiting', actions: { type: 'dueNow', params: due } } },
      on: {
        'receiver.accepted': { guard: isCurrent, target: 'delivered', actions: keepLogLine },
        'receiver.failed': [
          { guard: { type: 'isLast', params: attemptAt }, ...givenUp },
          {
            guard: isCurrent,
            target: 'waiting',
            actions: { type: 'backOff', params: ({ event }) => event },
          },
        ],
        'server.refused': { guard: isCurrent, ...givenUp },
        'attempt.voided': { guard: isCurrent, target: 'waiting', actions: dueNow },
      },
    },
    delivered: { after: { logLine: 'forgotten' } },
    givenUp: { after: { logLine: 'forgotten' } },
    /** the row is deleted */
    forgotten: { type: 'final' },
  },
})

export type DeliverySnapshot = SnapshotFrom<typeof deliveryChart>

/** Initial facts, without starting an actor: the chart has no entry actions.
 *  @param at Unix ms of the commit that causes the delivery */
export function newDelivery(at: number): DeliveryFacts {
  return { state: 'waiting', ...firstContext(at) }
}

/** Facts of a delivery that cannot be continued, given up at `at`. */
export function deliveryThatEnded(at: number): DeliveryFacts {
  return { state: 'givenUp', dueAt: at + LOG_MS, giveUpAt: at, attempts: 0 }
}

/** @throws {Error} for facts that this chart cannot have written */
export function wakeDelivery({ state, dueAt, giveUpAt, attempts }: DeliveryFacts): DeliverySnapshot {
  const { success, data } = deliveryFacts.safeParse({ state, dueAt, giveUpAt, attempts })
  if (!success) throw new Error(`delivery chart: the stored facts are not those of chart ${DELIVERY_CHART}`)
  const { state: value, ...context } = data
  return deliveryChart.resolveState({ value, context })
}

/** Unix ms at which a delivery ended. */
export function deliveryEndedAt({ dueAt }: Pick<DeliveryFacts, 'dueAt'>): number {
  return dueAt - LOG_MS
}

/** @returns null for a forgotten delivery */
export function factsOfDelivery({ value: state, context }: DeliverySnapshot): DeliveryFacts | null {
  return state === 'forgotten' ? null : { state, ...context }
}

/** Unix ms at which each delay of the chart elapses. */
const ENDS: Ends<DeliveryContext> = {
  pause: ({ dueAt }) => dueAt,
  lease: ({ dueAt }) => dueAt,
  logLine: ({ dueAt }) => dueAt,
}

/** The event that time alone causes next; null: the delivery is forgotten. */
export function deliveryDue(snapshot: DeliverySnapshot): DueEvent | null {
  return nextDue(snapshot, ENDS)
}
