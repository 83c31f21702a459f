import { callback, connects, delay, node, reads, session, stream, submits } from './made.ts'
import { chained, deletes, done, NO_ORDER, owing, type Pair, paired, pointed, runPairs } from './parts.ts'

const PAIRS: Readonly<Record<string, Pair>> = {
  'a callback contains the final status of the session': {
    right: [...owing, callback(60, { status: 'DONE', proofStatus: 'VALID' })],
    wrong: [...owing, callback(60, { status: 'CANCELLED' })],
    says: NO_ORDER,
  },
  'a callback comes after the end': {
    right: [...owing, callback(60, { status: 'DONE' })],
    wrong: [...owing, callback(25, { status: 'DONE' })],
    says: NO_ORDER,
  },
  'a callback arrives': {
    right: [
      ...owing,
      callback(60, { status: 'DONE' }, { answered: 'cut' }),
      callback(90, { status: 'DONE' }),
    ],
    wrong: [...owing, callback(60, { status: 'DONE' }, { answered: 'refused' })],
    says: /callback: expected one that is accepted, got 1 that were not/,
  },
  'a callback has one key': {
    right: [
      ...owing,
      callback(60, { status: 'DONE' }, { answered: 'refused' }),
      callback(90, { status: 'DONE' }),
    ],
    wrong: [
      ...owing,
      callback(60, { status: 'DONE' }, { answered: 'refused' }),
      callback(90, { status: 'DONE' }, { key: 'new' }),
    ],
    says: /callback: expected one key, got 2/,
  },
  'a callback has one body': {
    right: [
      ...owing,
      callback(60, { status: 'DONE' }, { answered: 'cut' }),
      callback(90, { status: 'DONE' }),
    ],
    wrong: [
      ...owing,
      callback(60, { status: 'DONE' }, { answered: 'cut' }),
      callback(90, { status: 'DONE' }, { body: 'new' }),
    ],
    says: /callback: expected one body, got 2/,
  },
  'a callback has a key': {
    right: [...owing, callback(60, { status: 'DONE' })],
    wrong: [...owing, callback(60, { status: 'DONE' }, { key: '' })],
    says: /callback: expected a key, got none/,
  },
  'a callback that was accepted is not posted again, unless its node may have missed the acceptance': {
    right: [...owing, callback(60, { status: 'DONE' }), node(61, false), callback(9_000, { status: 'DONE' })],
    wrong: [...owing, callback(60, { status: 'DONE' }), callback(9_000, { status: 'DONE' })],
    says: /callback: expected no other once it was accepted/,
  },
  'a callback that was accepted may be posted again after a delay of the machine': {
    right: [
      ...owing,
      callback(60, { status: 'DONE' }),
      delay(50, 4_000),
      callback(9_000, { status: 'DONE' }),
    ],
    wrong: [
      ...owing,
      callback(60, { status: 'DONE' }),
      callback(9_000, { status: 'DONE' }),
      delay(9_001, 12_000),
    ],
    says: /callback: expected no other once it was accepted, got one 8940 ms later/,
  },
  'no callback is posted if the requestor asked for none': {
    right: done,
    wrong: [...done, callback(60, { status: 'DONE' })],
    says: /callback: expected none/,
  },
  'every post for the next session has one key': {
    right: [
      ...chained,
      callback(35, {}, { what: 'next' }),
      callback(36, {}, { what: 'next' }),
      submits([30, 50], pointed('n')),
    ],
    wrong: [
      ...chained,
      callback(35, {}, { what: 'next' }),
      callback(36, {}, { what: 'next', key: 'new' }),
      submits([30, 50], pointed('n')),
    ],
    says: /post for the next session: expected one key, got 2/,
  },
  'a stream sends each change once': {
    right: [
      ...done,
      stream(
        [5, 100],
        [
          [20, 'CONNECTED'],
          [50, 'DONE'],
        ],
      ),
    ],
    wrong: [
      ...done,
      stream(
        [5, 100],
        [
          [20, 'CONNECTED'],
          [21, 'CONNECTED'],
          [50, 'DONE'],
        ],
      ),
    ],
    says: /stream first of the frontend: expected a part of CONNECTED, DONE, got CONNECTED, CONNECTED, DONE/,
  },
  'a call with an unknown outcome had no effect, if only that explains a stream': {
    right: [session(), connects([10, 20], null), deletes(9, 40), stream([5, 100], [[40, 'CANCELLED']])],
    wrong: [session(), connects([10, 20]), deletes(9, 40), stream([5, 100], [[40, 'CANCELLED']])],
    says: /expected CONNECTED, which came after its opening, got CANCELLED/,
  },
  'a call with an unknown outcome had its effect, if only that explains a stream, and then for all streams': {
    right: [
      session(),
      connects([10, 20], null),
      deletes(30, 40),
      stream(
        [5, 100],
        [
          [20, 'CONNECTED'],
          [40, 'CANCELLED'],
        ],
      ),
    ],
    wrong: [
      session(),
      connects([10, 20], null),
      deletes(30, 40),
      stream(
        [5, 100],
        [
          [20, 'CONNECTED'],
          [40, 'CANCELLED'],
        ],
      ),
      stream([5, 100], [[40, 'CANCELLED']], { stream: 'second' }),
    ],
    says: /stream second of the frontend: expected CONNECTED, which came after its opening, got CANCELLED/,
  },
  'a stream leaves out no status after its opening': {
    right: [...done, stream([15, 100], [[50, 'DONE']])],
    wrong: [...done, stream([5, 100], [[50, 'DONE']])],
    says: /expected CONNECTED, which came after its opening, got DONE/,
  },
  'a stream may begin with the status at its opening, and sends no earlier change': {
    right: [
      ...done,
      stream(
        [21, 100],
        [
          [22, 'CONNECTED'],
          [50, 'DONE'],
        ],
      ),
    ],
    wrong: [
      ...done,
      stream(
        [61, 100],
        [
          [62, 'CONNECTED'],
          [63, 'DONE'],
        ],
      ),
    ],
    says: /expected no DONE, which came before its beginning/,
  },
  'a stream does not begin with a PAIRING from before its opening': {
    right: [...paired, stream([15, 25], [[20, 'PAIRING']])],
    wrong: [...paired, stream([21, 29], [[22, 'PAIRING']])],
    says: /expected no PAIRING, which came before its beginning/,
  },
  'a stream sends changes in order': {
    right: [
      ...done,
      stream(
        [5, 100],
        [
          [50, 'CONNECTED'],
          [51, 'DONE'],
        ],
      ),
    ],
    wrong: [
      ...done,
      stream(
        [5, 100],
        [
          [50, 'DONE'],
          [51, 'CONNECTED'],
        ],
      ),
    ],
    says: /expected a part of CONNECTED, DONE, got DONE, CONNECTED/,
  },
  'a stream does not send a status early': {
    right: [
      ...done,
      stream(
        [5, 100],
        [
          [20, 'CONNECTED'],
          [50, 'DONE'],
        ],
      ),
    ],
    wrong: [
      ...done,
      stream(
        [5, 100],
        [
          [20, 'CONNECTED'],
          [25, 'DONE'],
        ],
      ),
    ],
    says: NO_ORDER,
  },
  'a stream need not send the status that a call without an answer would have caused': {
    right: [session(), connects([10, 20], null), deletes(15, 50), stream([5, 100], [[49, 'CANCELLED']])],
    wrong: [session(), connects([10, 20]), deletes(25, 50), stream([5, 100], [[49, 'CANCELLED']])],
    says: /expected CONNECTED, which came after its opening, got CANCELLED/,
  },
  'a stream sends changes in time': {
    right: [...done, reads([60, 61], 'DONE'), stream([5, 2_000], [[20, 'CONNECTED']])],
    wrong: [...done, reads([60, 61], 'DONE'), stream([5, 9_000], [[20, 'CONNECTED']])],
    says: /expected DONE within 3000 ms, got none before its end/,
  },
  'a stream whose node is in trouble may be late': {
    right: [...done, reads([60, 61], 'DONE'), node(55, false), stream([5, 9_000], [[20, 'CONNECTED']])],
    wrong: [...done, reads([60, 61], 'DONE'), node(55, false, 'B'), stream([5, 9_000], [[20, 'CONNECTED']])],
    says: /expected DONE within 3000 ms/,
  },
  'a stream that resumes another repeats nothing': {
    right: [
      ...done,
      stream([5, 22], [[20, 'CONNECTED']]),
      stream([25, 100], [[50, 'DONE']], { stream: 'second', resumes: 'first' }),
    ],
    wrong: [
      ...done,
      stream([5, 22], [[20, 'CONNECTED']]),
      stream(
        [25, 100],
        [
          [26, 'CONNECTED'],
          [50, 'DONE'],
        ],
        { stream: 'second', resumes: 'first' },
      ),
    ],
    says: /stream second of the frontend: expected to continue after CONNECTED, got CONNECTED, DONE/,
  },
  'a stream that resumes another leaves nothing out': {
    right: [
      ...paired,
      stream([5, 22], [[20, 'PAIRING']]),
      stream(
        [45, 100],
        [
          [46, 'CONNECTED'],
          [60, 'DONE'],
        ],
        { stream: 'second', resumes: 'first' },
      ),
    ],
    wrong: [
      ...paired,
      stream([5, 22], [[20, 'PAIRING']]),
      stream([45, 100], [[60, 'DONE']], { stream: 'second', resumes: 'first' }),
    ],
    says: /stream second of the frontend: expected to continue after PAIRING, got DONE/,
  },
}

runPairs('the checker of histories: streams and callbacks', PAIRS)
