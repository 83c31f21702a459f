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

const changes = (times: Times, outcome: 'right' | 'wrong' | 'blocked', number = 0) =>
  login(
    times,
    { name: 'change', isRight: outcome === 'right' },
    { status: 200, body: outcome, outcome, number },
  )
const commitsWith = (times: Times, tokenAt: number) =>
  login(times, { name: 'commitments', tokenAt }, { status: 200, body: `${times}` })
const deletes = (times: Times) => login(times, { name: 'delete' }, { status: 200, body: '' })
const starts = (times: Times) => login(times, { name: 'start' }, { status: 200, body: `${times}` })
const isUnknownTo = (times: Times) =>
  login(times, { name: 'start' }, { status: 403, error: 'USER_NOT_REGISTERED', body: 'unknown' })

const PAIRS: Readonly<Record<string, Pair>> = {
  'each commitment gets one response': {
    right: [commits([1, 2]), responds([3, 4]), responds([5, 6], 409), commits([7, 8]), responds([9, 10])],
    wrong: [commits([1, 2]), responds([3, 4]), responds([3, 6])],
    says: /commitment: expected one response, got two/,
  },
  'a response may follow a commitment whose answer was lost': {
    right: [
      commits([1, 2]),
      responds([3, 4]),
      login([5, 6], { name: 'commitments' }, null),
      responds([9, 10]),
    ],
    wrong: [commits([1, 2]), responds([3, 4]), responds([9, 10])],
    says: /commitment: expected one response, got two/,
  },
  'the secret of an account stays the same': {
    right: [commits([1, 2]), commits([3, 4])],
    wrong: [commits([1, 2]), commits([3, 4], 'Q')],
    says: /P: expected the same at all times, got 2/,
  },
  'each wrong PIN leaves fewer tries': {
    right: [pin([1, 2], 'wrong', 2), pin([3, 4], 'wrong', 1), pin([5, 6], 'wrong', 0)],
    wrong: [pin([1, 2], 'wrong', 2), pin([3, 4], 'wrong', 2)],
    says: /attempt: expected less than 2 tries left, got 2/,
  },
  'the right PIN restores all tries': {
    right: [pin([1, 2], 'wrong', 1), pin([3, 4], 'right'), pin([5, 6], 'wrong', 2)],
    wrong: [pin([1, 2], 'wrong', 1), pin([5, 6], 'wrong', 2)],
    says: /attempt: expected less than 1 tries left, got 2/,
  },
  'there are three tries': {
    right: [pin([1, 2], 'wrong', 2)],
    wrong: [pin([1, 2], 'wrong', 3)],
    says: /attempt: expected less than 3 tries left/,
  },
  'a challenge serves one attempt': {
    right: [pin([1, 2], 'wrong', 2, 'c'), pin([3, 4], 'right', 0, 'd')],
    wrong: [pin([1, 2], 'wrong', 2, 'c'), pin([3, 4], 'right', 0, 'c')],
    says: /challenge: expected one attempt for each, got 1 too many/,
  },
  'a wrong PIN is not accepted': {
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
    says: /expected the right PIN to be accepted/,
  },
  'a right PIN whose answer was lost may have restored all tries': {
    right: [pin([1, 2], 'wrong', 1), cutPin([3, 4], true), pin([5, 6], 'wrong', 2)],
    wrong: [pin([1, 2], 'wrong', 1), cutPin([3, 4], false), pin([5, 6], 'wrong', 2)],
    says: /attempt: expected less than 1 tries left, got 2/,
  },
  'two wrong PINs at once leave different numbers of tries': {
    right: [pin([1, 5], 'wrong', 2, 'c'), changes([2, 6], 'wrong', 1)],
    wrong: [pin([1, 5], 'wrong', 2, 'c'), changes([2, 6], 'wrong', 2)],
    says: /attempt: expected less than 2 tries left, got 2/,
  },
  'no PIN is compared while the account is blocked': {
    right: [pin([1, 2], 'blocked', 60), pin([60_005, 60_006], 'right')],
    wrong: [pin([1, 2], 'blocked', 60), pin([50_005, 50_006], 'right')],
    says: /block: expected no PIN to be compared for 60 s, got one that was right/,
  },
  'no attempt is counted while the account is blocked': {
    right: [pin([1, 2], 'blocked', 60), changes([10_000, 10_001], 'blocked', 50)],
    wrong: [pin([1, 2], 'blocked', 60), changes([10_000, 10_001], 'blocked', 120)],
    says: /block: expected no attempt to be counted for 60 s, got one/,
  },
  'an attempt that began before the block may end it': {
    right: [cutPin([0, 1], true), pin([1, 2], 'blocked', 60), pin([5_000, 5_001], 'right')],
    wrong: [cutPin([0, 1], false), pin([1, 2], 'blocked', 60), pin([5_000, 5_001], 'right')],
    says: /block: expected no PIN to be compared for 60 s, got one that was right/,
  },
  'a commitment lasts for 20 s': {
    right: [commits([1, 2]), responds([20_900, 20_901])],
    wrong: [commits([1, 2]), responds([21_100, 21_101])],
    says: /commitment: expected no response after its end, got one/,
  },
  'a change of the PIN ends earlier tokens': {
    right: [changes([3, 4], 'right'), commitsWith([5, 6], 4)],
    wrong: [changes([3, 4], 'right'), commitsWith([5, 6], 2)],
    says: /token: expected commitments with a token from before a change of the PIN to be refused, got 200/,
  },
  'an account is unknown after its deletion': {
    right: [starts([1, 2]), deletes([3, 6]), starts([5, 7]), isUnknownTo([8, 9])],
    wrong: [starts([1, 2]), deletes([3, 4]), starts([5, 6])],
    says: /account: expected no answer to start after its deletion, got one/,
  },
  'an account is known until its deletion': {
    right: [deletes([1, 4]), isUnknownTo([2, 3])],
    wrong: [isUnknownTo([2, 3]), deletes([4, 5])],
    says: /account: expected start before its deletion to succeed, got USER_NOT_REGISTERED/,
  },
}

runPairs('the checker of histories: accounts', PAIRS)
