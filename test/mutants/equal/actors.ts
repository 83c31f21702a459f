/** Mutants of `actors/` that behave like the program in every test, with the reason. @module */
import { type Equal, MEMORY_ALONE, NARROWING, NOT_IN_JSON, OURS_ALONE } from './reasons.ts'

export const EQUAL_ACTORS: readonly Equal[] = [
  { names: /^actors\/deliveries\/deliveries\.ts forgetIdle: never if/, reason: MEMORY_ALONE },
  {
    names:
      /^actors\/metrics\/(?:login|session)-figures\.ts committed: without after !== null in before === null/,
    reason: 'no commit has both null as its row before and null as its row after',
  },
  {
    names: /^actors\/gate\.ts turnOnRecent: without (?:row\.chart !==|worker !== null && )/,
    reason: 'the commit compares the version of the row: this check only saves a turn that would fail',
  },
  {
    names: /^actors\/gate\.ts stepOn: without step !== null/,
    reason: 'without the check the next expression throws a TypeError, and the catch returns null, too',
  },
  {
    names: /^actors\/effects\/claims\.ts perform: never if \(row\.claim === null\)/,
    reason: 'the chart requests such an effect only with a claim',
  },
  {
    names: /^actors\/effects\/claims\.ts perform: without !outcome/,
    reason: 'if there is no outcome, the signal is aborted, which the other part checks',
  },
  {
    names: /^actors\/effects\/claims\.ts (?:stopRenewal: never|startRenewal: never)/,
    reason: 'every end of a claim stops its timer, and stopping no timer does nothing',
  },
  {
    names: /^actors\/owners\/owners\.ts confirmed: never if \(accountId === null\)/,
    reason: 'a link that confirms an address contains its account; the line is only for the compiler',
  },
  {
    names: /^actors\/revocation\/authority\.ts opened: never if \(!\(cause instanceof/,
    reason: OURS_ALONE,
  },
  {
    names: /^actors\/workers\/keyshare-powers\.ts longest: off by one n > most/,
    reason: 'if two numbers are equal, either of them may be the result',
  },
  {
    names: /^actors\/workers\/primes\.ts (?:fill: without least !== null|least: without least) in /,
    reason: 'without a key length the next expression throws a TypeError, which ends the filling, too',
  },
  { names: /^actors\/workers\/queue\.ts begin: without (?:!line|!task) in /, reason: NARROWING },
  { names: /^actors\/workers\/short-lists\.ts measured: without means in /, reason: NARROWING },
  {
    names: /^actors\/workers\/threads\.ts least: off by one rank/,
    reason: 'if several threads have equally few tasks, any of them may get the task',
  },
  {
    names: /^actors\/workers\/proof-pool\.ts SHORT_BITS: \+ 1 for/,
    reason: 'keys have 1024, 2048 or 4096 bits',
  },
  {
    names: /^actors\/workers\/proof-pool\.ts isLong: without proof\.kind === 'disclosure' in /,
    reason: NARROWING,
  },
  { names: /^actors\/effects\/claims\.ts isSame: without !other/, reason: NARROWING },
  {
    names: /^actors\/inspection\/kept-paths\.ts keep: without oldest !== undefined/,
    reason: NARROWING,
  },
  {
    names: /^actors\/deliveries\/deliveries\.ts attempt: off by one row\.dueAt > /,
    reason:
      'it differs only if the row is due in this millisecond: the next delivery begins now or at the next look',
  },
  {
    names:
      /^actors\/(?:deliveries\/owed-callback\.ts messageOf|effects\/ask-next\.ts accept): without traceparent !==/,
    reason: NOT_IN_JSON,
  },
  {
    names: /^actors\/effects\/outcomes\.ts workDone: without next in/,
    reason: 'the code that opens the next session checks for one: null and undefined both mean none',
  },
  {
    names: /^actors\/effects\/sign\.ts sigsOf: never if \(signed === undefined\)/,
    reason: 'toSign has an entry for each credential, or an error has been thrown before',
  },
  {
    names: /^actors\/kinds\/login\.ts insertsOf: never if \(after === null\)/,
    reason: 'the step that deletes an account has no other writes',
  },
  {
    names: /^actors\/calls\/waiters\.ts outcomeIn: off by one row\.version < call\.number/,
    reason: 'the row of that version contains the claim, so that the next line returns null, too',
  },
  {
    names: /^actors\/deadlines\.ts note: off by one at >= /,
    reason: 'the timer would be set again for the same time',
  },
  {
    names: /^actors\/deliveries\/post-callback\.ts postCallback: without message === null in/,
    reason: NARROWING,
  },
  {
    names: /^actors\/create-sessions\.ts maxLive: \+ 1/,
    reason: 'no rule requires exactly this number; tests use a smaller limit',
  },
  {
    names: /^actors\/create-sessions\.ts constructor: without this\.#waiters\.isWaitedFor/,
    reason:
      'the session is read once more than needed, and only if it has watchers, which already got the change',
  },
  {
    names: /^actors\/deadlines\.ts enterDue: without names\.length < BATCH && mine/,
    reason: 'the store is asked once more, and returns nothing',
  },
  { names: /^actors\/workers\/proofs\.ts about: never if \(!key\)/, reason: OURS_ALONE },
  {
    names: /^actors\/workers\/queue\.ts do: never if \(pieces\.length === 0\)/,
    reason: 'without pieces the result is an empty list at once, too',
  },
]
