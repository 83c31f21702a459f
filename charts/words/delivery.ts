/** The chart of a delivery in words. @module */
import type { DeliveryEffect, DeliveryEvent } from '../../machines/delivery.ts'
import type { ChartWords } from './words.ts'

export const DELIVERY_WORDS = {
  subject:
    'A delivery is a callback or a mail that the server has to send. Attempts are repeated until its receiver accepts it, or until it is given up after 24 hours.',
  states: {
    waiting: 'The next attempt is made when it is due.',
    sending: 'An attempt is being made, for as long as its lease lasts.',
    delivered: 'The receiver has accepted it. `svc deliveries` lists it for 24 hours.',
    givenUp: 'No other attempt is made. `svc deliveries` lists it for 24 hours.',
    forgotten: 'The row of the delivery is deleted.',
  },
  events: {
    'receiver.accepted': 'The receiver has accepted it.',
    'receiver.failed': 'The receiver has refused it for now, or has not answered in time.',
    'server.refused':
      'It can never be delivered: it has no address, or the receiver has refused it for good.',
    'attempt.voided': 'The node that made the attempt is gone. It is not known whether the delivery arrived.',
    'operator.replayed': 'An operator has asked for the next attempt at once.',
  } satisfies Record<Exclude<DeliveryEvent['type'], `xstate.after.${string}`>, string>,
  delays: {
    pause: 'the time until the next attempt',
    lease: 'the longest time of an attempt',
    logLine: 'the time for which the row is kept after the end',
  },
  guards: {
    isCurrent: 'the event names the attempt that is being made',
    isLast: 'the event names the attempt that is being made, and 24 hours are over',
  },
  effects: { post: 'the callback or the mail is sent to its receiver' } satisfies Record<
    DeliveryEffect,
    string
  >,
  facts: {
    beginAttempt: 'the number of the attempt, and the end of its lease',
    backOff: 'the time of the next attempt, after a wait that doubles, or that the receiver asks for',
    dueNow: 'the next attempt is due at once',
    keepLogLine: 'the time at which the row is deleted',
  },
} as const satisfies ChartWords
