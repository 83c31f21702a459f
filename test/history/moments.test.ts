import { BUSY, call, connects, node, reads, session, submits, UNKNOWN } from './made.ts'
import { done, NO_ORDER, notDone, type Pair, runPairs } from './parts.ts'

const PAIRS: Readonly<Record<string, Pair>> = {
  'a status goes forward only': {
    right: [...done, reads([60, 61], 'DONE'), reads([70, 71], 'DONE')],
    wrong: [...done, reads([60, 61], 'DONE'), reads([70, 71], 'CONNECTED')],
    says: NO_ORDER,
  },
  'a state that an answer has shown is committed, and remains after a crash': {
    right: [...notDone, node(25, false), node(30, true), reads([40, 41], 'CONNECTED')],
    wrong: [...notDone, node(25, false), node(30, true), reads([40, 41], 'INITIALIZED')],
    says: NO_ORDER,
  },
  'an answer shows the state at a moment between the beginning and the end of its call': {
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
  'a call that was answered with 503 may have had its effect': {
    right: [...notDone, submits([30, 40], BUSY), reads([50, 51], 'DONE')],
    wrong: [...notDone, submits([30, 40], UNKNOWN), reads([50, 51], 'DONE')],
    says: NO_ORDER,
  },
  'a session is not deleted before the end of its retention': {
    right: [...done, call([300_100, 300_101], 'requestor', { name: 'status' }, UNKNOWN)],
    wrong: [...done, call([299_000, 299_001], 'requestor', { name: 'status' }, UNKNOWN)],
    says: NO_ORDER,
  },
  'a deadline does not take effect early': {
    right: [session({ timeoutMs: 5_000 }), reads([5_001, 5_002], 'TIMEOUT')],
    wrong: [session({ timeoutMs: 5_000 }), reads([4_800, 4_802], 'TIMEOUT')],
    says: NO_ORDER,
  },
  'a deadline takes effect within a second': {
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
  'a deadline may take effect late while no node is well': {
    right: [
      session({ timeoutMs: 5_000 }),
      node(4_000, false),
      node(9_000, true),
      reads([12_500, 12_501], 'INITIALIZED'),
    ],
    wrong: [
      session({ timeoutMs: 5_000 }),
      node(4_000, false),
      node(9_000, true),
      reads([14_000, 14_001], 'INITIALIZED'),
    ],
    says: NO_ORDER,
  },
  'a deadline takes effect in time while another node is well': {
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
}

runPairs('the checker of histories: moments and deadlines', PAIRS)
