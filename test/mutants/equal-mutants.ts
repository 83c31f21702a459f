/** Mutants that no test can tell from the program, with the reason. A line that fits no mutant is an error, and so is one that fits a mutant which a test does find. @module */

export type Equal = { readonly names: RegExp; readonly reason: string }

const NARROWING = 'the part is there for the compiler: whatever it keeps out, the other part keeps out, too'
const NO_INVERSE = '0 and n have no inverse, or no power but 0: the equation refuses them, too'
const CHANCE = 'a random number, or a hash, hits that value once in 2^256 times'
const FACTOR = 'a number without an inverse modulo n gives the factors of n away, and nobody finds one'
const OURS_ALONE =
  'whatever else is thrown there is a mistake of this program, and nobody can cause it from outside'
const NOT_IN_JSON = 'a member that is undefined does not stand in JSON'
const NO_TIMER = 'nothing fires the timers of a chart but the gate, which goes by the deadline of the row'
const NO_CLAIM = 'no claim stands in that state, so that none can be ended'

export const EQUAL: readonly Equal[] = [
  { names: /^crypto\/signature\.ts verifySignature: off by one A [<>]/, reason: NO_INVERSE },
  {
    names: /^crypto\/signature\.ts (?:verifySignature|S|powers): off by one v < 0n$/,
    reason: 'a power of 0 is 1, of a base and of its inverse',
  },
  { names: /^crypto\/signature\.ts verifySignature: never if \(S === undefined\)/, reason: FACTOR },
  {
    names: /^crypto\/revocation\/witness\.ts isSized: off by one u [<>]/,
    reason: NO_INVERSE,
  },
  {
    names: /^crypto\/timestamp\.ts disclosedPart: off by one index >= 0/,
    reason: 'a proof that discloses its secret key, which is the index 0, is refused anyway',
  },
  { names: /^login: isV[12]: without 'version' in event/, reason: NARROWING },
  { names: /^login: isRightChallenge: without event\.type === 'app\.answered'/, reason: NARROWING },
  { names: /^login: 1 ms later: \(context\.(?:challenge|commitment)EndsAt/, reason: NO_TIMER },
  {
    names: /^login: active\.commitment\.\w+ app\.requestedCommitments \[1\]: without the guard isV2/,
    reason: 'there are two versions, and the line before takes the first one',
  },
  {
    names: /^login: active\.challenge\.pending app\.startedLogin: without the guard isDeviceBound/,
    reason: 'a challenge is pending only where a device key is registered, and nothing takes that key away',
  },
  { names: /^login: isSignedAsBound: without event\.type === 'app\.sentPin'/, reason: NARROWING },
  { names: /^login: wasLastTry: without event\.type === 'server\.refusedPin'/, reason: NARROWING },
  { names: /^login: (?:isCompared: without |comparing: without !\()'attempt' in event/, reason: NARROWING },
  {
    names:
      /^login: active\.attempts\.open app\.(?:answered|sentPin) \[[01]\]: without the guard not\(isBlocked\)/,
    reason: 'an open account has no block: whatever opens it ends its block',
  },
  { names: /^delivery: (?:untilDue: other way|1 ms later:) 'at' in event/, reason: NO_TIMER },
  { names: /^delivery: isCurrent: without 'attempt' in event/, reason: NARROWING },
  { names: /^delivery: isLast: without event\.type === 'receiver\.failed'/, reason: NARROWING },
  { names: /^session: (?:INITIALIZED|PAIRING|CONNECTED\.awaiting) .*: without endClaim$/, reason: NO_CLAIM },
  { names: /^session: (?:untilDeadline: other way|1 ms later:) 'at' in event/, reason: NO_TIMER },
  {
    names: /^session: (?:isCurrentClaim: without 'claim' in event|isValid: without 'isValid' in event)/,
    reason: NARROWING,
  },
  {
    names: /^sessions\/check-commitments\.ts readKeyshares: without scheme === undefined/,
    reason: NARROWING,
  },
  {
    names: /^sessions\/check-commitments\.ts commitments: without credential === undefined/,
    reason: NARROWING,
  },
  {
    names: /^sessions\/check-signature\.ts timestamp: without message\.timestamp === null/,
    reason: NARROWING,
  },
  { names: /^sessions\/issue-credentials\.ts metadataOf: without validityAtSec === null/, reason: NARROWING },
  { names: /^sessions\/issue-credentials\.ts attributeValue: without witness !== null/, reason: NARROWING },
  { names: /^sessions\/known-proofs\.ts knownProofs: without !metadata/, reason: NARROWING },
  {
    names: /^sessions\/prepare-request\.ts checkKeyshareSchemes: off by one all\.size > 1/,
    reason: 'where there is one scheme, that one is enough',
  },
  {
    names: /^sessions\/prepare-credentials\.ts prepareCredential: never if \(type === undefined\)/,
    reason: 'a request with an unknown type has been refused before, with every identifier that is unknown',
  },
  {
    names: /^sessions\/prepare-credentials\.ts checkValidity: never if \(!\(cause instanceof RangeError\)\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^sessions\/request-jwt\.ts inBody: never if \(!\(cause instanceof InvalidRequest\)\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^http\/app\/start-static\.ts accepted: never if \(!\(error instanceof RemoteError\)\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^http\/app\/call\.ts decide: without !\(error instanceof RemoteError\)/,
    reason: OURS_ALONE,
  },
  {
    names: /^http\/keyshare\/device\.ts requireDevice: without deviceKey === null/,
    reason: 'nothing takes a registered key away, so that the account has one in its turn, too',
  },
  {
    names: /^http\/keyshare\/get-response\.ts pendingIn: never if \(commitment === null\)/,
    reason: 'the chart takes the event only in a state to which the commit leads that stores a commitment',
  },
  {
    names: /^http\/keyshare\/get-response\.ts partUnder: never if \(part === undefined\)/,
    reason: 'whoever asks for the parts of one key gets one; the next line would throw a TypeError, too',
  },
  {
    names: /^http\/openapi\/document\.ts (?:describe: without description|JSON_TYPE: without example !==)/,
    reason: NOT_IN_JSON,
  },
  {
    names: /^http\/inspector\/stately-feed\.ts announce: without oldest !== undefined/,
    reason: NARROWING,
  },
  { names: /^http\/requestor-auth\.ts signedRequest: never if \(!signer\)/, reason: NARROWING },
  { names: /^http\/session\/delete\.ts deleteSession: without 'refused' in turn in/, reason: NARROWING },
  {
    names: /^http\/read-body\.ts isTooLarge: without (?:error instanceof Error|'type' in error) in/,
    reason: NARROWING,
  },
  {
    names: /^http\/mount\.ts mountTables: never if \(method !== OTHERWISE/,
    reason: 'whatever is not found among the hot routes the router finds, and answers the same',
  },
  {
    names: /^http\/mount\.ts mountTables: without method !== OTHERWISE in/,
    reason: 'no call has the method that stands for every other one',
  },
  {
    names: /^crypto\/keyshare\/merge\.ts U: off by one proof\.U < n/,
    reason: 'n is refused, and so is 0, to which it would be reduced',
  },
  { names: /^http\/find-session\.ts tokenOf: without typeof parameter/, reason: NARROWING },
  { names: /^http\/openapi\/page\.ts nameOf: without (?:typeof inner|inner === null)/, reason: NARROWING },
  {
    names: /^http\/status-feed\.ts hear: (?:without statuses\.length|off by one statuses\.length)/,
    reason: 'of no statuses none is told, and nothing else happens',
  },
  {
    names: /^http\/status-feed\.ts file: off by one row\.version > this\.#version/,
    reason: 'a row of the version that was heard of has the status that was told',
  },
  {
    names: /^http\/static-files\.ts answerFile: without (?:isFile|ctx\.method|!ctx\.fresh)/,
    reason: 'Koa sends nothing of the file there, and closes it when the answer has ended',
  },
  {
    names: /^http\/static-files\.ts serve: never if \(!kind\?\.isDirectory\(\)\)/,
    reason: 'where there is no folder there is no index file below it',
  },
  {
    names: /^http\/static-files\.ts unlessAbsent: without (?:error instanceof Error|'code' in error)/,
    reason: NARROWING,
  },
  {
    names: /^http\/static-files\.ts unlessAbsent: without ABSENT/,
    reason: 'what else a system says of a path, such as of a disk that fails, no test can cause',
  },
  {
    names: /^crypto\/bytes\.ts bitLength: never if \(x === 0n\)/,
    reason: 'the formula below gives 0 for 0, too; the line says so to readers',
  },
  { names: /^crypto\/commitment\.ts hasRightSizes: off by one proof\.U [<>]/, reason: NO_INVERSE },
  {
    names: /^crypto\/disclosure\.ts contributionOfDisclosure: never if \(alpha === undefined\)/,
    reason: 'a proof without that response has been refused before by its indices',
  },
  { names: /^crypto\/proof-list\.ts contributionsWith: without key in part && key/, reason: NARROWING },
  {
    names: /^crypto\/revocation\/proof\.ts isNonRevocationProper: off by one C[ru] [<>]/,
    reason: NO_INVERSE,
  },
  { names: /^crypto\/revocation\/proof\.ts contributionOf: without last in last/, reason: FACTOR },
  {
    names: /^crypto\/revocation\/proof\.ts draftNonRevocation: never if \(contribution === undefined\)/,
    reason: FACTOR,
  },
  {
    names: /^http\/listen\.ts listen: left out reject\(new TypeError/,
    reason: NARROWING,
  },
  {
    names:
      /^actors\/accounts\/create-accounts\.ts written: without (?:challenge|commitment|refused|inserts) in/,
    reason: 'whoever reads these members reads them by name, and finds undefined in either case',
  },
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
  { names: /^actors\/revocation\/authority\.ts without: without !row in /, reason: NARROWING },
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
  { names: /^actors\/workers\/short-lists\.ts measured: without tables in /, reason: NARROWING },
  {
    names: /^actors\/workers\/short-lists\.ts shapeOf: other way nonRevocation/,
    reason: 'shapes are compared with each other alone, and differ in either case',
  },
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
  { names: /^crypto\/issuance\.ts randomUnit: without r % [pq]Prime/, reason: CHANCE },
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
  { names: /^actors\/effects\/outcomes\.ts response: without sigs in/, reason: NOT_IN_JSON },
  {
    names: /^actors\/effects\/outcomes\.ts workDone: without next in/,
    reason: 'whoever opens the next session asks whether there is one: null is none, too',
  },
  {
    names: /^actors\/effects\/sign\.ts sigsOf: without signed !== undefined/,
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
]
