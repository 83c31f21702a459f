/** Delivery statechart: one callback or mail that is owed (spec 6, `decisions.md`: callbacks), from the commit that causes it to its receiver. It is
 *  posted until the receiver accepts it, or until 24 h are over; what is left then is a line of the delivery log, for a while. Pure: no I/O, clock or
 *  randomness; the time is `at` on the event. `post` is named and has no body; it stands on the transition into `sending`, so that whoever wakes in
 *  a state repeats nothing: an attempt whose process died is void, and another one follows. @module */
import { assign, emit, type SnapshotFrom, setup } from 'xstate'
import { z } from 'zod'

/** The number of the chart, stored with every row; there is a new one whenever a stored state could be misread. */
export const DELIVERY_CHART = 1

const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'givenUp'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** How long after a failed attempt the next one is made: `firstMs`, doubled with each attempt, `maxMs` at most. */
export type Backoff = { readonly firstMs: number; readonly maxMs: number }

/** The gate of deliveries adds `at` (Unix ms). */
export type DeliveryEvent =
  /** an answer 2xx, also of a mail server */
  | { readonly type: 'receiver.accepted'; readonly attempt: number }
  /** no answer in time, or another one; with the shortest wait that the receiver asks for, ms */
  | {
      readonly type: 'receiver.failed'
      readonly attempt: number
      readonly backoff: Backoff
      readonly askedMs?: number
    }
  /** there is no address that could ever be posted to, or the receiver refused it for good */
  | { readonly type: 'server.refused'; readonly attempt: number }
  /** whoever sent it is gone: nobody knows whether it arrived */
  | { readonly type: 'attempt.voided'; readonly attempt: number }
  /** now, instead of later */
  | { readonly type: 'operator.replayed' }
  /** the chart's own event of a time that has come */
  | { readonly type: `xstate.after.${string}` }

export type StampedDeliveryEvent = DeliveryEvent & { readonly at: number }

/** Facts of a delivery, all of them: small, and no secret. */
const deliveryContext = z.strictObject({
  /** Unix ms: next attempt; while sending the end of its lease; afterwards the end of the log line */
  dueAt: z.int(),
  /** Unix ms from which on no other attempt follows one that failed */
  giveUpAt: z.int(),
  /** begun so far; the number of the one that is being made */
  attempts: z.int().nonnegative(),
})
const deliveryFacts = deliveryContext.extend({ state: z.enum(DELIVERY_STATES) })

export type DeliveryContext = Readonly<z.output<typeof deliveryContext>>

/** A delivery at rest: what its row keeps of the chart. */
export type DeliveryFacts = Readonly<z.output<typeof deliveryFacts>>

/** Comes back as `receiver.…` or `server.refused`. */
export type DeliveryEffect = 'post'

const HOUR_MS = 3_600_000
const GIVE_UP_AFTER_MS = 24 * HOUR_MS
/** The lease of an attempt: several times as long as a post may take. */
export const SENDING_LEASE_MS = 30_000
/** The time for which the line of the log is kept of a delivery that has ended. */
const LOG_MS = 24 * HOUR_MS

function retryDelayMs(attempts: number, { firstMs, maxMs }: Backoff): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(attempts - 1, 40))
}

type Failed = Extract<DeliveryEvent, { readonly type: 'receiver.failed' }>

function waitMs(attempts: number, { backoff, askedMs = 0 }: Failed): number {
  return Math.max(retryDelayMs(attempts, backoff), askedMs)
}

const parts = setup({
  types: {
    context: {} as DeliveryContext,
    events: {} as StampedDeliveryEvent,
    input: {} as { readonly at: number },
  },
  // nothing fires it but the gate; what is new is due at once
  delays: { untilDue: ({ context, event }) => ('at' in event ? context.dueAt - event.at : 0) },
  guards: {
    isCurrent: ({ context, event }) => 'attempt' in event && event.attempt === context.attempts,
    isLast: ({ context, event }) =>
      event.type === 'receiver.failed' && event.attempt === context.attempts && event.at >= context.giveUpAt,
  },
  actions: {
    post: emit({ type: 'post' satisfies DeliveryEffect }),
    beginAttempt: assign({
      attempts: ({ context }) => context.attempts + 1,
      dueAt: ({ event }) => event.at + SENDING_LEASE_MS,
    }),
    backOff: assign({
      dueAt: ({ context, event }) =>
        event.type === 'receiver.failed'
          ? Math.min(event.at + waitMs(context.attempts, event), context.giveUpAt)
          : context.dueAt,
    }),
    dueNow: assign({ dueAt: ({ event }) => event.at }),
    keepLogLine: assign({ dueAt: ({ event }) => event.at + LOG_MS }),
  },
})

const givenUp = { target: 'givenUp', actions: 'keepLogLine' } as const

/** What a delivery begins with. */
function firstContext(at: number): DeliveryContext {
  return { dueAt: at, giveUpAt: at + GIVE_UP_AFTER_MS, attempts: 0 }
}

export const deliveryChart = parts.createMachine({
  id: 'delivery',
  context: ({ input: { at } }) => firstContext(at),
  initial: 'waiting',
  states: {
    waiting: {
      after: { untilDue: { target: 'sending', actions: ['beginAttempt', 'post'] } },
      on: { 'operator.replayed': { actions: 'dueNow' } },
    },
    sending: {
      on: {
        'receiver.accepted': { guard: 'isCurrent', target: 'delivered', actions: 'keepLogLine' },
        'receiver.failed': [
          { guard: 'isLast', ...givenUp },
          { guard: 'isCurrent', target: 'waiting', actions: 'backOff' },
        ],
        'server.refused': { guard: 'isCurrent', ...givenUp },
        'attempt.voided': { guard: 'isCurrent', target: 'waiting', actions: 'dueNow' },
      },
    },
    delivered: { after: { untilDue: 'forgotten' } },
    givenUp: { after: { untilDue: 'forgotten' } },
    /** its row is deleted */
    forgotten: { type: 'final' },
  },
})

export type DeliverySnapshot = SnapshotFrom<typeof deliveryChart>

/** What the chart begins in, without an actor that begins: nothing is done on entry.
 *  @param at Unix ms of the commit that causes it */
export function newDelivery(at: number): DeliveryFacts {
  return { state: 'waiting', ...firstContext(at) }
}

/** The facts of a delivery that nobody can go on with, given up at `at`. */
export function deliveryThatEnded(at: number): DeliveryFacts {
  return { state: 'givenUp', dueAt: at + LOG_MS, giveUpAt: at, attempts: 0 }
}

/** @throws {Error} for what this chart cannot have written */
export function wakeDelivery({ state, dueAt, giveUpAt, attempts }: DeliveryFacts): DeliverySnapshot {
  const { success, data } = deliveryFacts.safeParse({ state, dueAt, giveUpAt, attempts })
  if (!success) throw new Error(`delivery chart: the stored facts are not those of chart ${DELIVERY_CHART}`)
  const { state: value, ...context } = data
  return deliveryChart.resolveState({ value, context })
}

/** Unix ms at which a delivery came to its end. */
export function deliveryEndedAt({ dueAt }: Pick<DeliveryFacts, 'dueAt'>): number {
  return dueAt - LOG_MS
}

/** @returns null for a delivery that is forgotten */
export function factsOfDelivery({ value: state, context }: DeliverySnapshot): DeliveryFacts | null {
  return state === 'forgotten' ? null : { state, ...context }
}

/** What time alone causes in a delivery that is due. An attempt whose lease is over is void. */
export function deliveryTimeEvent(
  { state, attempts }: Pick<DeliveryFacts, 'state' | 'attempts'>,
  at: number,
): StampedDeliveryEvent {
  if (state === 'sending') return { type: 'attempt.voided', attempt: attempts, at }
  return { type: `xstate.after.untilDue.delivery.${state}`, at }
}
