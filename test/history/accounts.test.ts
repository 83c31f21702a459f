import { login, type Times } from './made.ts'
import { type Pair, runPairs } from './parts.ts'

const pin = (times: Times, outcome: 'right' | 'wrong' | 'blocked', number = 0, challenge = `${times}`) =>
  login(
    times,
    { name: 'pin', isRight: outcome === 'right', challenge },
    { status: 200, body: outcome, outcome, number },
  )
const cutPin = (times: Times, isRight: boolean) =>
  login(times, { name: 'pin', isRight, challenge: 'cut' }, null)
const commits = (times: Times, P = 'P') =>
  login(times, { name: 'commitments' }, { status: 200, body: `${times}`, P })
const responds = (times: Times, status = 200) =>
  login(times, { name: 'response' }, { status, body: `${times}` })

const PAIRS: Readonly<Record<string, Pair>> = {
  'a commitment is answered once': {
    right: [commits([1, 2]), responds([3, 4]), responds([5, 6], 409), commits([7, 8]), responds([9, 10])],
    wrong: [commits([1, 2]), responds([3, 4]), responds([3, 6])],
    says: /commitment: expected one response, got two/,
  },
  'a commitment whose answer was lost may be taken': {
    right: [
      commits([1, 2]),
      responds([3, 4]),
      login([5, 6], { name: 'commitments' }, null),
      responds([9, 10]),
    ],
    wrong: [commits([1, 2]), responds([3, 4]), responds([9, 10])],
    says: /commitment: expected one response, got two/,
  },
  'the secret of an account stays': {
    right: [commits([1, 2]), commits([3, 4])],
    wrong: [commits([1, 2]), commits([3, 4], 'Q')],
    says: /P: expected the same at all times, got 2/,
  },
  'each wrong PIN leaves fewer tries': {
    right: [pin([1, 2], 'wrong', 2), pin([3, 4], 'wrong', 1), pin([5, 6], 'wrong', 0)],
    wrong: [pin([1, 2], 'wrong', 2), pin([3, 4], 'wrong', 2)],
    says: /attempt: expected less than 2 tries left, got 2/,
  },
  'the right PIN gives all tries back': {
    right: [pin([1, 2], 'wrong', 1), pin([3, 4], 'right'), pin([5, 6], 'wrong', 2)],
    wrong: [pin([1, 2], 'wrong', 1), pin([5, 6], 'wrong', 2)],
    says: /attempt: expected less than 1 tries left, got 2/,
  },
  'there are three tries': {
    right: [pin([1, 2], 'wrong', 2)],
    wrong: [pin([1, 2], 'wrong', 3)],
    says: /attempt: expected less than 3 tries left/,
  },
  'a challenge is taken by one attempt': {
    right: [pin([1, 2], 'wrong', 2, 'c'), pin([3, 4], 'right', 0, 'd')],
    wrong: [pin([1, 2], 'wrong', 2, 'c'), pin([3, 4], 'right', 0, 'c')],
    says: /challenge: expected one attempt at each, got 1 more/,
  },
  'a wrong PIN is not taken for the right one': {
    right: [pin([1, 2], 'wrong', 2)],
    wrong: [
      login(
        [1, 2],
        { name: 'pin', isRight: false, challenge: 'c' },
        { status: 200, body: '', outcome: 'right' },
      ),
    ],
    says: /expected a wrong PIN to be refused/,
  },
  'the right PIN is not refused': {
    right: [pin([1, 2], 'right')],
    wrong: [
      login(
        [1, 2],
        { name: 'pin', isRight: true, challenge: 'c' },
        { status: 200, body: '', outcome: 'wrong', number: 2 },
      ),
    ],
    says: /expected the right PIN to be taken/,
  },
  'a right PIN whose answer was lost may have given all tries back': {
    right: [pin([1, 2], 'wrong', 1), cutPin([3, 4], true), pin([5, 6], 'wrong', 2)],
    wrong: [pin([1, 2], 'wrong', 1), cutPin([3, 4], false), pin([5, 6], 'wrong', 2)],
    says: /attempt: expected less than 1 tries left, got 2/,
  },
}

runPairs('the checker of histories: accounts', PAIRS)
