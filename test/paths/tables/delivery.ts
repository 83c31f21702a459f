/** The delivery chart as the specification has it (part 6, and the decisions on callbacks), a row for each change. It is typed by hand: what is not in the table does
 *  not happen. The words of a state: the state, and how many attempts were begun (3: or more). @module */
import type { Beginning, Row } from './rows.ts'

/** The pauses after failed attempts that the tests choose: the first, which doubles, and the longest; and the end of a delivery that is near. */
export const FIRST_PAUSE_SEC = 5
export const LONGEST_PAUSE_SEC = 18
export const NEAR_END_SEC = 3

/** The longest time that an attempt may take before it counts as void. */
const LEASE = 'due 30 s'
/** The line of the log is kept for a day. */
const LOGGED = 'due 86400 s'

/** It is due at once, and is given up 24 h after its cause. */
export const DELIVERY_BEGINS: readonly Beginning[] = [
  ['6, callbacks', 'waiting 0', 'due 0 s, given up 86400 s'],
]

// biome-ignore format: a table is read by its columns
export const DELIVERY: readonly Row[] = [
  // a delivery is due at once; each attempt has a number
  ['6, callbacks', 'time passes',                  'waiting 0',   'sending 1',   'post', LEASE],
  ['callbacks',    'time passes',                  'waiting 1',   'sending 2',   'post', LEASE],
  ['callbacks',    'time passes',                  'waiting 2|3', 'sending 3',   'post', LEASE],
  // the receiver, or the mail server, took it
  ['6',            'receiver.accepted',            'sending *',   'delivered =', '-', LOGGED],
  // retries: the pause doubles up to the longest, and never goes beyond 24 h after the cause; an attempt that fails then is the last
  ['callbacks',    'receiver.failed early',        'sending 1',   'waiting =',   '-', 'due 5 s'],
  ['callbacks',    'receiver.failed early',        'sending 2',   'waiting =',   '-', 'due 10 s'],
  ['callbacks',    'receiver.failed early',        'sending 3',   'waiting =',   '-', 'due 18 s'],
  ['callbacks',    'receiver.failed near the end', 'sending *',   'waiting =',   '-', 'due 3 s'],
  ['callbacks',    'receiver.failed at the end',   'sending *',   'givenUp =',   '-', LOGGED],
  // there is no address that could be posted to, or the receiver refused it for good
  ['callbacks',    'server.refused',               'sending *',   'givenUp =',   '-', LOGGED],
  // nobody knows whether it arrived: it is sent again, at once
  ['callbacks',    'attempt.voided',               'sending *',   'waiting =',   '-', 'due 0 s'],
  // an operator replays what waits
  ['callbacks',    'operator.replayed',            'waiting *',   '= =',         '-', 'due 0 s'],
  ['callbacks',    'time passes',                  'delivered|givenUp *', 'forgotten', '-', '-'],
]

/** Every state that there may be. */
export const DELIVERY_STATES: readonly string[] = [
  'waiting 0',
  ...['waiting', 'sending', 'delivered', 'givenUp'].flatMap(state =>
    [1, 2, 3].map(count => `${state} ${count}`),
  ),
  'forgotten',
]
