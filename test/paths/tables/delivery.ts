/** The delivery chart of the specification (spec/interface#6, spec/decisions#callbacks), one row for each change. It is typed by hand: a change that is not in the
 *  table does not happen. A state is written as its name and the number of attempts begun, where 3 stands for 3 or more. @module */
import type { Beginning, Row } from './rows.ts'

/** The pause after the first failed attempt, as the tests set it. Each further pause is twice as long. */
export const FIRST_PAUSE_SEC = 5
/** The longest pause, as the tests set it. */
export const LONGEST_PAUSE_SEC = 18
/** The time until the delivery is given up, in rows with `near the end`. */
export const NEAR_END_SEC = 3

/** The longest time of an attempt before it counts as void. */
const LEASE = 'due 30 s'
/** The log line is kept for a day. */
const LOGGED = 'due 86400 s'

/** A new delivery is due at once, and is given up 24 h after its cause. */
export const DELIVERY_BEGINS: readonly Beginning[] = [
  ['spec/interface#6, spec/decisions#callbacks', 'waiting 0', 'due 0 s, given up 86400 s'],
]

// biome-ignore format: a table is read by its columns
export const DELIVERY: readonly Row[] = [
  // a delivery is due at once; each attempt has a number
  ['spec/interface#6, spec/decisions#callbacks', 'time passes',                  'waiting 0',   'sending 1',   'post', LEASE],
  ['spec/decisions#callbacks',                   'time passes',                  'waiting 1',   'sending 2',   'post', LEASE],
  ['spec/decisions#callbacks',                   'time passes',                  'waiting 2|3', 'sending 3',   'post', LEASE],
  // the receiver, or the mail server, accepted it
  ['spec/interface#6',                           'receiver.accepted',            'sending *',   'delivered =', '-', LOGGED],
  // retries: the pause doubles up to the longest, but ends at the latest 24 h after the cause; an attempt that fails then is the last one
  ['spec/decisions#callbacks',                   'receiver.failed early',        'sending 1',   'waiting =',   '-', 'due 5 s'],
  ['spec/decisions#callbacks',                   'receiver.failed early',        'sending 2',   'waiting =',   '-', 'due 10 s'],
  ['spec/decisions#callbacks',                   'receiver.failed early',        'sending 3',   'waiting =',   '-', 'due 18 s'],
  ['spec/decisions#callbacks',                   'receiver.failed near the end', 'sending *',   'waiting =',   '-', 'due 3 s'],
  ['spec/decisions#callbacks',                   'receiver.failed at the end',   'sending *',   'givenUp =',   '-', LOGGED],
  // no valid address, or a permanent refusal by the receiver
  ['spec/decisions#callbacks',                   'server.refused',               'sending *',   'givenUp =',   '-', LOGGED],
  // it is unknown whether the message arrived: it is sent again at once
  ['spec/laws#effects',                          'time passes',                  'sending *',   'waiting =',   '-', 'due 0 s'],
  ['spec/decisions#callbacks',                   'attempt.voided',               'sending *',   'waiting =',   '-', 'due 0 s'],
  // an operator replays a waiting delivery
  ['spec/decisions#callbacks',                   'operator.replayed',            'waiting *',   '= =',         '-', 'due 0 s'],
  ['spec/decisions#callbacks',                   'time passes',                  'delivered|givenUp *', 'forgotten', '-', '-'],
]

/** Every possible state. */
export const DELIVERY_STATES: readonly string[] = [
  'waiting 0',
  ...['waiting', 'sending', 'delivered', 'givenUp'].flatMap(state =>
    [1, 2, 3].map(count => `${state} ${count}`),
  ),
  'forgotten',
]
