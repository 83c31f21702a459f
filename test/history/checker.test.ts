/** The checker of histories: for each rule one history that is right, and one that is wrong in that way only. @module */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { judge } from './checker.ts'
import type { History, Said } from './lines.ts'
import {
  BUSY,
  call,
  callback,
  connects,
  MALFORMED,
  node,
  ok,
  reads,
  session,
  stream,
  submits,
  UNEXPECTED,
  UNKNOWN,
} from './made.ts'

type Pair = { readonly right: History; readonly wrong: History; readonly says: RegExp }

const deletes = (from: number, to: number) => call([from, to], 'requestor', { name: 'delete' }, ok())
const pairs = (from: number, to: number, answer = { ...ok(), status: 204 }) =>
  call([from, to], 'frontend', { name: 'pairingcompleted' }, answer)
const chooses = (from: number, to: number, method: 'none' | 'pin') =>
  call([from, to], 'frontend', { name: 'options', method }, ok({ method }))
const result = (from: number, to: number, says: Said) =>
  call([from, to], 'requestor', { name: 'result' }, ok(says))
const done = [session(), connects([10, 20]), submits([30, 50])]
const notDone = [session(), connects([10, 20])]
const owing = [session({ hasCallback: true }), connects([10, 20]), submits([30, 50])]
const chained = [session({ hasNextSession: true }), connects([10, 20])]
const pointed = (next: string) => ok({ proofStatus: 'VALID', next }, 'judged')
const pairing = [session(), chooses(2, 3, 'pin'), connects([10, 20], ok({ isPairing: true }))]
const paired = [...pairing, pairs(30, 40), submits([50, 60])]
const NO_ORDER = /no order explains it/

const PAIRS: Readonly<Record<string, Pair>> = {
  'a status goes forward only': {
    right: [...done, reads([60, 61], 'DONE'), reads([70, 71], 'DONE')],
    wrong: [...done, reads([60, 61], 'DONE'), reads([70, 71], 'CONNECTED')],
    says: NO_ORDER,
  },
  'what was answered was committed: it is still so after a crash': {
    right: [...notDone, node(25, false), node(30, true), reads([40, 41], 'CONNECTED')],
    wrong: [...notDone, node(25, false), node(30, true), reads([40, 41], 'INITIALIZED')],
    says: NO_ORDER,
  },
  'an answer is of a moment between its call and its end': {
    right: [session(), connects([10, 20]), reads([15, 25], 'INITIALIZED')],
    wrong: [session(), connects([10, 20]), reads([21, 25], 'INITIALIZED')],
    says: NO_ORDER,
  },
  'a call that was cut may have had its effect, at once or later': {
    right: [
      session(),
      connects([10, 20], null),
      reads([30, 31], 'INITIALIZED'),
      reads([40, 41], 'CONNECTED'),
    ],
    wrong: [session(), reads([30, 31], 'INITIALIZED'), reads([40, 41], 'CONNECTED')],
    says: NO_ORDER,
  },
  'a call that was asked to come again may have had its effect': {
    right: [...notDone, submits([30, 40], BUSY), reads([50, 51], 'DONE')],
    wrong: [...notDone, submits([30, 40], UNKNOWN), reads([50, 51], 'DONE')],
    says: NO_ORDER,
  },
  'one transition is made once: the app connects once': {
    right: [session(), connects([10, 20]), connects([15, 30])],
    wrong: [session(), connects([10, 20]), connects([15, 30], ok({ isPairing: false }, 'another'))],
    says: NO_ORDER,
  },
  'the same submission gets the same answer': {
    right: [...done, submits([60, 70])],
    wrong: [...done, submits([60, 70], ok({ proofStatus: 'VALID' }, 'signed again'))],
    says: NO_ORDER,
  },
  'the same submission is not refused within ten seconds': {
    right: [...done, submits([10_060, 10_070], UNKNOWN)],
    wrong: [...done, submits([60, 70], UNKNOWN)],
    says: NO_ORDER,
  },
  'its answer is not repeated after ten seconds': {
    right: [...done, submits([9_060, 9_070])],
    wrong: [...done, submits([11_060, 11_070])],
    says: NO_ORDER,
  },
  'one submission has an outcome': {
    right: [...done, submits([35, 60], UNKNOWN, { body: 'other' })],
    wrong: [...done, submits([35, 60], ok({ proofStatus: 'VALID' }, 'second'), { body: 'other' })],
    says: NO_ORDER,
  },
  'a submission may be made again when its claim was void, which needs trouble': {
    right: [
      ...notDone,
      node(31, false),
      submits([30, 40], BUSY),
      submits([50, 60], ok({ proofStatus: 'VALID' }, 'x'), { body: 'other' }),
    ],
    wrong: [
      ...notDone,
      submits([30, 40], BUSY),
      reads([42, 45], 'DONE'),
      submits([50, 60], ok({ proofStatus: 'VALID' }, 'x'), { body: 'other' }),
    ],
    says: NO_ORDER,
  },
  'wrong proofs are not found right': {
    right: [...notDone, submits([30, 50], ok({ proofStatus: 'INVALID' }), { proofs: 'wrong' })],
    wrong: [...notDone, submits([30, 50], ok({ proofStatus: 'VALID' }), { proofs: 'wrong' })],
    says: NO_ORDER,
  },
  'the result says what the app was told': {
    right: [...done, result(60, 61, { status: 'DONE', proofStatus: 'VALID' })],
    wrong: [...done, result(60, 61, { status: 'DONE', proofStatus: 'INVALID' })],
    says: NO_ORDER,
  },
  'what cannot be read cancels the session': {
    right: [...notDone, submits([30, 40], MALFORMED, { proofs: 'malformed' }), reads([50, 51], 'CANCELLED')],
    wrong: [...notDone, submits([30, 40], MALFORMED, { proofs: 'malformed' }), reads([50, 51], 'CONNECTED')],
    says: NO_ORDER,
  },
  'a session that was deleted is over': {
    right: [...notDone, deletes(30, 40), reads([50, 51], 'CANCELLED')],
    wrong: [...notDone, deletes(30, 40), submits([50, 60])],
    says: NO_ORDER,
  },
  'DELETE during a submission ends it, or comes after it': {
    right: [...notDone, submits([30, 60], UNKNOWN), deletes(40, 50), reads([70, 71], 'CANCELLED')],
    wrong: [...notDone, submits([30, 60]), deletes(40, 50), reads([70, 71], 'CANCELLED')],
    says: NO_ORDER,
  },
  'with pairing the app waits for the frontend': {
    right: [
      session(),
      chooses(2, 3, 'pin'),
      connects([10, 20], ok({ isPairing: true })),
      pairs(30, 40),
      submits([50, 60]),
    ],
    wrong: [session(), chooses(2, 3, 'pin'), connects([10, 20], ok({ isPairing: true })), submits([50, 60])],
    says: NO_ORDER,
  },
  'the last choice of pairing counts': {
    right: [session(), chooses(2, 3, 'pin'), chooses(4, 5, 'none'), connects([10, 20])],
    wrong: [session(), chooses(2, 3, 'none'), chooses(4, 5, 'pin'), connects([10, 20])],
    says: NO_ORDER,
  },
  'pairing is completed once': {
    right: [
      session(),
      chooses(2, 3, 'pin'),
      connects([10, 20], ok({ isPairing: true })),
      pairs(30, 40),
      pairs(50, 60, UNEXPECTED),
    ],
    wrong: [
      session(),
      chooses(2, 3, 'pin'),
      connects([10, 20], ok({ isPairing: true })),
      pairs(30, 40),
      pairs(50, 60),
    ],
    says: NO_ORDER,
  },
  'a session is not forgotten before the end of its retention': {
    right: [...done, call([300_100, 300_101], 'requestor', { name: 'status' }, UNKNOWN)],
    wrong: [...done, call([299_000, 299_001], 'requestor', { name: 'status' }, UNKNOWN)],
    says: NO_ORDER,
  },
  'a deadline does not come early': {
    right: [session({ timeoutMs: 5_000 }), reads([5_001, 5_002], 'TIMEOUT')],
    wrong: [session({ timeoutMs: 5_000 }), reads([4_800, 4_802], 'TIMEOUT')],
    says: NO_ORDER,
  },
  'a deadline is kept within a second': {
    right: [session({ timeoutMs: 5_000 }), reads([5_900, 5_902], 'INITIALIZED')],
    wrong: [session({ timeoutMs: 5_000 }), reads([6_200, 6_202], 'INITIALIZED')],
    says: NO_ORDER,
  },
  'a deadline counts from the beginning of its status': {
    right: [
      session({ connectedTimeoutMs: 5_000 }),
      connects([1_000, 1_020]),
      reads([6_050, 6_051], 'TIMEOUT'),
    ],
    wrong: [
      session({ connectedTimeoutMs: 5_000 }),
      connects([1_000, 1_020]),
      reads([5_500, 5_501], 'TIMEOUT'),
    ],
    says: NO_ORDER,
  },
  'nobody keeps a deadline while no node is well': {
    right: [
      session({ timeoutMs: 5_000 }),
      node(4_000, false),
      node(9_000, true),
      reads([14_000, 14_001], 'INITIALIZED'),
    ],
    wrong: [
      session({ timeoutMs: 5_000 }),
      node(4_000, false),
      node(9_000, true),
      reads([17_000, 17_001], 'INITIALIZED'),
    ],
    says: NO_ORDER,
  },
  'another node keeps it meanwhile': {
    right: [
      session({ timeoutMs: 5_000 }),
      node(0, true, 'B'),
      node(4_000, false),
      reads([5_900, 5_901], 'INITIALIZED'),
    ],
    wrong: [
      session({ timeoutMs: 5_000 }),
      node(0, true, 'B'),
      node(4_000, false),
      reads([6_900, 6_901], 'INITIALIZED'),
    ],
    says: NO_ORDER,
  },
  'a submission that came in time is handled to its end': {
    right: [
      session({ connectedTimeoutMs: 5_000 }),
      connects([10, 20]),
      submits([4_900, 9_000]),
      reads([9_010, 9_011], 'DONE'),
    ],
    wrong: [
      session({ connectedTimeoutMs: 5_000 }),
      connects([10, 20]),
      submits([6_200, 9_000]),
      reads([9_010, 9_011], 'DONE'),
    ],
    says: NO_ORDER,
  },
  'a chain has one next session': {
    right: [
      ...chained,
      submits([30, 50], pointed('n')),
      call([60, 61], 'frontend', { name: 'status' }, ok({ status: 'DONE', next: 'n' })),
    ],
    wrong: [
      ...chained,
      submits([30, 50], pointed('n')),
      call([60, 61], 'frontend', { name: 'status' }, ok({ status: 'DONE', next: 'm' })),
    ],
    says: NO_ORDER,
  },
  'the next session is shown with the end of the one before': {
    right: [...chained, submits([30, 50], pointed('n'))],
    wrong: [
      ...chained,
      call([25, 26], 'frontend', { name: 'status' }, ok({ status: 'CONNECTED', next: 'n' })),
      submits([30, 50], pointed('n')),
    ],
    says: NO_ORDER,
  },
  'a callback says how the session ended': {
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
  'a callback that was accepted is not posted again, unless nobody may have heard that': {
    right: [...owing, callback(60, { status: 'DONE' }), node(61, false), callback(9_000, { status: 'DONE' })],
    wrong: [...owing, callback(60, { status: 'DONE' }), callback(9_000, { status: 'DONE' })],
    says: /callback: expected no other once it was accepted/,
  },
  'nobody gets a callback who asked for none': {
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
  'a stream tells each change once': {
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
  'a stream leaves nothing out': {
    right: [...done, stream([15, 100], [[50, 'DONE']])],
    wrong: [...done, stream([5, 100], [[50, 'DONE']])],
    says: /expected CONNECTED, which came after its opening, got DONE/,
  },
  'a stream does not tell what was before it': {
    right: [
      ...done,
      stream(
        [15, 100],
        [
          [20, 'CONNECTED'],
          [50, 'DONE'],
        ],
      ),
    ],
    wrong: [
      ...done,
      stream(
        [21, 100],
        [
          [22, 'CONNECTED'],
          [50, 'DONE'],
        ],
      ),
    ],
    says: /expected no CONNECTED, which came before its beginning/,
  },
  'a stream tells in order': {
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
  'a stream does not tell what is not so yet': {
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
  'a stream tells in time': {
    right: [...done, reads([60, 61], 'DONE'), stream([5, 2_000], [[20, 'CONNECTED']])],
    wrong: [...done, reads([60, 61], 'DONE'), stream([5, 9_000], [[20, 'CONNECTED']])],
    says: /expected DONE within 3000 ms, got none before its end/,
  },
  'a stream whose node is in trouble may be late': {
    right: [...done, reads([60, 61], 'DONE'), node(55, false), stream([5, 9_000], [[20, 'CONNECTED']])],
    wrong: [...done, reads([60, 61], 'DONE'), node(55, false, 'B'), stream([5, 9_000], [[20, 'CONNECTED']])],
    says: /expected DONE within 3000 ms/,
  },
  'a stream that goes on from another repeats nothing': {
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
    says: /stream second of the frontend: expected to go on after CONNECTED, got CONNECTED, DONE/,
  },
  'a stream that goes on from another leaves nothing out': {
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
    says: /stream second of the frontend: expected to go on after PAIRING, got DONE/,
  },
}

const Checker = suite('the checker of histories')

for (const [title, { right, wrong, says }] of Object.entries(PAIRS))
  Checker(title, () => {
    assert.equal(judge(right).violations, [])
    const { violations } = judge(wrong)
    assert.is(violations.length, 1, violations.join('; '))
    assert.match(violations[0] ?? '', says)
  })

Checker.run()
