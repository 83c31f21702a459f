import {
  BUSY,
  call,
  connects,
  MALFORMED,
  node,
  ok,
  reads,
  session,
  submits,
  UNEXPECTED,
  UNKNOWN,
} from './made.ts'
import {
  chained,
  chooses,
  deletes,
  done,
  NO_ORDER,
  notDone,
  type Pair,
  pairs,
  pointed,
  result,
  runPairs,
} from './parts.ts'

const PAIRS: Readonly<Record<string, Pair>> = {
  'a transition happens once: the app connects once': {
    right: [session(), connects([10, 20]), connects([15, 30])],
    wrong: [session(), connects([10, 20]), connects([15, 30], ok({ isPairing: false }, 'another'))],
    says: NO_ORDER,
  },
  'the same submission gets the same answer': {
    right: [...done, submits([60, 70])],
    wrong: [...done, submits([60, 70], ok({ proofStatus: 'VALID' }, 'signed again'))],
    says: NO_ORDER,
  },
  'the same submission is not refused within 90 s': {
    right: [...done, submits([90_060, 90_070], UNKNOWN)],
    wrong: [...done, submits([80_060, 80_070], UNKNOWN)],
    says: NO_ORDER,
  },
  'the answer to a submission is not repeated after 90 s': {
    right: [...done, submits([89_060, 89_070])],
    wrong: [...done, submits([91_060, 91_070])],
    says: NO_ORDER,
  },
  'only one submission has an outcome': {
    right: [...done, submits([35, 60], UNKNOWN, { body: 'other' })],
    wrong: [...done, submits([35, 60], ok({ proofStatus: 'VALID' }, 'second'), { body: 'other' })],
    says: NO_ORDER,
  },
  'another submission is allowed after a void claim, and a claim is void only after trouble': {
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
  'wrong proofs are not VALID': {
    right: [...notDone, submits([30, 50], ok({ proofStatus: 'INVALID' }), { proofs: 'wrong' })],
    wrong: [...notDone, submits([30, 50], ok({ proofStatus: 'VALID' }), { proofs: 'wrong' })],
    says: NO_ORDER,
  },
  'the result has the same proofStatus as the answer to the app': {
    right: [...done, result(60, 61, { status: 'DONE', proofStatus: 'VALID' })],
    wrong: [...done, result(60, 61, { status: 'DONE', proofStatus: 'INVALID' })],
    says: NO_ORDER,
  },
  'a malformed submission cancels the session': {
    right: [...notDone, submits([30, 40], MALFORMED, { proofs: 'malformed' }), reads([50, 51], 'CANCELLED')],
    wrong: [...notDone, submits([30, 40], MALFORMED, { proofs: 'malformed' }), reads([50, 51], 'CONNECTED')],
    says: NO_ORDER,
  },
  'a session that was deleted accepts no submission': {
    right: [...notDone, deletes(30, 40), reads([50, 51], 'CANCELLED')],
    wrong: [...notDone, deletes(30, 40), submits([50, 60])],
    says: NO_ORDER,
  },
  'a DELETE during a submission cancels the session, and the submission then has no outcome': {
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
  'the pointer to the next session is shown from the end of its parent on': {
    right: [...chained, submits([30, 50], pointed('n'))],
    wrong: [
      ...chained,
      call([25, 26], 'frontend', { name: 'status' }, ok({ status: 'CONNECTED', next: 'n' })),
      submits([30, 50], pointed('n')),
    ],
    says: NO_ORDER,
  },
}

runPairs('the checker of histories', PAIRS)
