/** Mutants of `actors/` that behave like the program in every test, with the reason. @module */
import { type Equal, MEMORY_ALONE, NARROWING, NOT_IN_JSON, OURS_ALONE } from './reasons.ts'

export const EQUAL_ACTORS: readonly Equal[] = [
  { names: /^actors\/deliveries\/deliveries\.ts forgetIdle: never if/, reason: MEMORY_ALONE },
  {
    names:
      /^actors\/metrics\/(?:login|session)-figures\.ts committed: without after !== null in before === null/,
    reason: 'a commit that puts nothing in the place of nothing is made by nobody',
  },
  {
    names: /^actors\/gate\.ts turnOnRecent: without (?:row\.chart !==|worker !== null && )/,
    reason:
      'a commit on a kept row compares its version, so that what is read again there saves a turn in vain and decides nothing',
  },
  {
    names: /^actors\/gate\.ts stepOn: without step !== null/,
    reason: 'what is thrown there comes to nothing, too',
  },
  {
    names: /^actors\/effects\/claims\.ts perform: never if \(row\.claim === null\)/,
    reason: 'no chart asks for such an effect without a claim',
  },
  {
    names: /^actors\/effects\/claims\.ts perform: without !outcome/,
    reason: 'there is no outcome only where the signal says that the claim is over',
  },
  {
    names: /^actors\/effects\/claims\.ts (?:stopRenewal: never|startRenewal: never)/,
    reason: 'whatever ends a claim stops its timer, and to stop none does nothing',
  },
  {
    names: /^actors\/owners\/owners\.ts confirmed: never if \(accountId === null\)/,
    reason: 'a link that confirms an address names its account; the line is there for the compiler',
  },
  {
    names: /^actors\/revocation\/authority\.ts opened: never if \(!\(cause instanceof/,
    reason: OURS_ALONE,
  },
  {
    names: /^actors\/workers\/keyshare-powers\.ts longest: off by one n > most/,
    reason: 'of two equal numbers either is the longest',
  },
  {
    names: /^actors\/workers\/primes\.ts (?:fill: without least !== null|least: without least) in /,
    reason: 'where there is none, what is thrown there ends the filling, too',
  },
  { names: /^actors\/workers\/queue\.ts begin: without (?:!line|!task) in /, reason: NARROWING },
  { names: /^actors\/workers\/short-lists\.ts measured: without means in /, reason: NARROWING },
  {
    names: /^actors\/workers\/threads\.ts least: off by one rank/,
    reason: 'of threads that have as much to do any may take the task',
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
      'an attempt that ends in the last millisecond of its lease: what else is due of its host is found now, or at the next look',
  },
  {
    names:
      /^actors\/(?:deliveries\/owed-callback\.ts messageOf|effects\/ask-next\.ts accept): without traceparent !==/,
    reason: NOT_IN_JSON,
  },
  {
    names: /^actors\/effects\/outcomes\.ts workDone: without next in/,
    reason: 'whoever opens the next session asks whether there is one: null is none, too',
  },
  {
    names: /^actors\/effects\/sign\.ts sigsOf: never if \(signed === undefined\)/,
    reason: 'there is something to sign for each credential, or an error has been thrown before',
  },
  {
    names: /^actors\/kinds\/login\.ts insertsOf: never if \(after === null\)/,
    reason: 'the step that deletes an account writes nothing besides',
  },
  {
    names: /^actors\/calls\/waiters\.ts outcomeIn: off by one row\.version < call\.number/,
    reason: 'the row of that version holds the claim, which says the same: nothing yet',
  },
  {
    names: /^actors\/deadlines\.ts note: off by one at >= /,
    reason: 'the timer that stands would be set anew for the same time',
  },
  {
    names: /^actors\/deliveries\/post-callback\.ts postCallback: without message === null in/,
    reason: NARROWING,
  },
  {
    names: /^actors\/create-sessions\.ts maxLive: \+ 1/,
    reason: 'nothing promises that it is exactly so many; that there is a bound is tested with a small one',
  },
  {
    names: /^actors\/create-sessions\.ts constructor: without this\.#waiters\.isWaitedFor/,
    reason:
      'the session is read once more, and only if somebody watches it, who has heard of the change before',
  },
  {
    names: /^actors\/deadlines\.ts enterDue: without names\.length < BATCH && mine/,
    reason: 'the store is asked once more, and has nothing',
  },
  { names: /^actors\/workers\/proofs\.ts about: never if \(!key\)/, reason: OURS_ALONE },
  {
    names: /^actors\/workers\/queue\.ts do: never if \(pieces\.length === 0\)/,
    reason: 'the outputs of no pieces are there at once, too',
  },
]
