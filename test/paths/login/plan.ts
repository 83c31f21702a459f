/** The paths of the keyshare login chart. Its three regions and the announced deletion are parallel. The paths walk each of them alone. They walk together those that
 *  depend on each other or end each other. Bounds:
 *  * At most four attempts are counted, which is the second block.
 *  * Nothing else happens while a PIN is compared, except in the paths about commitments and about two PINs at once.
 *  * Beside the end of an account, at most one thing is begun.
 *  * Time passes until an end only if every other end is certainly later: `~` marks an end of which some time has elapsed.
 *  The table of the chart covers everything outside of these bounds (tables/login.ts). @module */
import { loginStateOf, pendingCommitment } from '../../../machines/login-snapshot.ts'
import type { PathModel } from '../engine/graph.ts'
import { planOf } from '../engine/plan.ts'
import {
  type Account,
  type AccountInput,
  type AccountSnapshot,
  accountModel,
  DELETION_MS,
  type End,
  effectsOf,
  endOf,
  type PathEvent,
} from './account.ts'

/** Lengths of blocks, challenges and commitments (spec/decisions#lifetimes, #k13 for the first and the second block). */
const CHALLENGE_MS = 360_000
const COMMITMENT_MS = 20_000
const BLOCKS_MS: Readonly<Record<number, number>> = { 3: 60_000, 4: 120_000 }
const MAX_ATTEMPTS = 4
const ENDS: readonly End[] = ['block', 'challenge', 'commitment', 'deletion']

const lengthOf = ({ login }: Account, end: End): number =>
  ({
    block: BLOCKS_MS[login.context.attempts] ?? 0,
    challenge: CHALLENGE_MS,
    commitment: COMMITMENT_MS,
    deletion: DELETION_MS,
  })[end]

/** True if no time has elapsed since the beginning of that duration. */
function isFresh(account: Account, end: End): boolean {
  return endOf(account, end) === account.now + lengthOf(account, end)
}

/** `text` if something of that kind is pending. */
function pending(account: Account, end: End, text: string): string[] {
  return endOf(account, end) === null ? [] : [isFresh(account, end) ? text : `${text}~`]
}

export function stateOf({ context: account }: AccountSnapshot): string {
  const { login, triesLeft } = account
  const { attempts, comparing, blockedUntil, deleteAt, isDeviceBound } = login.context
  const state = loginStateOf(login)
  if (state === null) return 'forgotten'
  const deletion = deleteAt === null ? [] : [endOf(account, 'deletion') === null ? 'due' : 'warned']
  if (state === 'disabled') return ['disabled', ...deletion].join(' ')
  const version = pendingCommitment(login) ?? 'v1'
  const isBlocked = endOf(account, 'block') !== null
  return [
    `${isBlocked ? 'blocked' : blockedUntil > 0 ? 'over' : 'open'}${attempts}${isBlocked && !isFresh(account, 'block') ? '~' : ''}`,
    ...comparing.map(number => (triesLeft[number] === 0 ? 'comparing-last' : 'comparing')),
    ...pending(account, 'challenge', 'challenge'),
    ...pending(account, 'commitment', `commitment-${version}`),
    ...deletion,
    ...(isDeviceBound ? [] : ['no-key']),
  ].join(' ')
}

/** The subject of a path: `takes` selects the events that the path uses if the chart accepts them. */
export type Variant = {
  readonly title: string
  readonly isDeviceBound: boolean
  readonly takes: (event: PathEvent, account: Account) => boolean
}

const RESERVING: readonly string[] = ['app.answered', 'app.sentPin']
const VERSIONS = ['v1', 'v2'] as const

function isOutcome({ type }: PathEvent): boolean {
  return (type.startsWith('server.') && type.endsWith('Pin')) || type === 'server.registeredKey'
}

const comparesNothing = ({ login }: Account): boolean => login.context.comparing.length === 0

const isAbout = ({ type }: PathEvent, ...types: readonly PathEvent['type'][]): boolean => types.includes(type)

function isTime(event: PathEvent, ...ends: readonly End[]): boolean {
  return event.type === 'time passes' && ends.includes(event.until)
}

const LOGIN = ['app.startedLogin', 'app.answered', 'app.sentPin', 'app.triedWhileBlocked'] as const
const ENDS_OF_ACCOUNTS = ['server.warned', 'server.deleted', 'owner.visited', 'owner.disabled'] as const
const PROOFS = ['app.requestedCommitments', 'app.requestedResponse'] as const

/** Each attempt is followed by its outcome. After the second block there is no attempt. A challenge that outlasted a block is answered or replaced. */
function takesAttempts(event: PathEvent, account: Account): boolean {
  const { attempts, comparing } = account.login.context
  if (comparing.length > 0) return isOutcome(event)
  const isOld = endOf(account, 'challenge') !== null && !isFresh(account, 'challenge')
  if (isOld) return isAbout(event, 'app.startedLogin', 'app.answered')
  return isAbout(event, ...LOGIN) || isTime(event, 'challenge') || (isTime(event, 'block') && attempts === 3)
}

/** A right PIN opens the account while the last try is still being compared. A challenge that begins then outlasts that try. */
function takesLateRefusal(event: PathEvent, { login }: Account): boolean {
  const { attempts, comparing, challengeEndsAt } = login.context
  if (isAbout(event, 'app.startedLogin')) return attempts === 0 && comparing.length === 1
  if (isAbout(event, 'app.sentPin')) return challengeEndsAt === null && attempts < 3 && comparing.length < 2
  if (isAbout(event, 'server.acceptedPin')) return comparing.length === 2 && attempts === 3
  return isAbout(event, 'server.refusedPin') && comparing.length === 1
}

/** A commitment is answered, replaced, or ended by time or by a change of the PIN. The change is one attempt, and also ends a commitment that began during the
 *  comparison. */
function takesCommitments(event: PathEvent, { login }: Account): boolean {
  const { attempts, comparing, challengeEndsAt } = login.context
  if (isAbout(event, 'app.startedLogin', ...PROOFS, 'server.changedPin', 'server.acceptedPin')) return true
  if (isAbout(event, 'app.sentPin')) return attempts === 0
  return comparing.length === 0 && challengeEndsAt === null && isTime(event, 'commitment')
}

/** Wrong PINs start a block. Commitments are then requested and answered, during the block and after it. */
function takesBlockedCommitments(event: PathEvent, { login }: Account): boolean {
  const { attempts, comparing } = login.context
  if (comparing.length > 0) return isAbout(event, 'server.refusedPin')
  if (attempts < 3) return isAbout(event, 'app.sentPin')
  return isAbout(event, ...PROOFS) || isTime(event, 'block', 'commitment')
}

/** At most one login, attempt or commitment is begun beside the end of an account, because no call waits for days. */
function takesEnds(event: PathEvent, { login }: Account): boolean {
  const { attempts, comparing, challengeEndsAt, commitmentEndsAt } = login.context
  if (isAbout(event, ...ENDS_OF_ACCOUNTS, 'server.acceptedPin', 'app.requestedResponse')) return true
  if (isTime(event, 'deletion')) return comparing.length === 0
  const isIdle = attempts === 0 && challengeEndsAt === null && commitmentEndsAt === null
  const isV2 = 'version' in event && event.version === 'v2'
  return isIdle && !isV2 && isAbout(event, 'app.startedLogin', 'app.sentPin', 'app.requestedCommitments')
}

export const VARIANTS: readonly Variant[] = [
  { title: 'attempts', isDeviceBound: true, takes: takesAttempts },
  {
    title: 'attempts without a device key',
    isDeviceBound: false,
    takes: (event, account) => !account.login.context.isDeviceBound && takesAttempts(event, account),
  },
  {
    title: 'two PINs at once',
    isDeviceBound: true,
    takes: (event, { login }) =>
      isOutcome(event) ||
      (isAbout(event, 'app.sentPin') && login.context.comparing.length < 2 && login.context.attempts < 3),
  },
  { title: 'a challenge beside a last try', isDeviceBound: true, takes: takesLateRefusal },
  { title: 'commitments', isDeviceBound: true, takes: takesCommitments },
  { title: 'commitments of a blocked account', isDeviceBound: true, takes: takesBlockedCommitments },
  { title: 'the end of an account', isDeviceBound: true, takes: takesEnds },
]

/** True if every other deadline is certainly later than this one. */
function isEarliest(account: Account, until: End): boolean {
  const waitMs = (endOf(account, until) ?? 0) - account.now
  return ENDS.every(
    end =>
      end === until ||
      endOf(account, end) === null ||
      (end === 'deletion' ? until !== end : isFresh(account, end) && lengthOf(account, end) > waitMs),
  )
}

function isOffered(event: PathEvent, account: Account, { takes }: Variant): boolean {
  if (event.type === 'time passes') return isEarliest(account, event.until) && takes(event, account)
  if (RESERVING.includes(event.type) && account.login.context.attempts >= MAX_ATTEMPTS) return false
  return takes(event, account)
}

const EVENTS: readonly PathEvent[] = [
  { type: 'app.startedLogin' },
  ...[true, false].map(isRightChallenge => ({ type: 'app.answered', isRightChallenge }) as const),
  ...[true, false].map(isSignedByDevice => ({ type: 'app.sentPin', isSignedByDevice }) as const),
  { type: 'app.triedWhileBlocked' },
  ...(['first', 'second', 'no attempt'] as const).flatMap(of => [
    { type: 'server.acceptedPin', of } as const,
    { type: 'server.refusedPin', of } as const,
    { type: 'server.changedPin', of } as const,
    { type: 'server.registeredKey', of } as const,
  ]),
  { type: 'server.refusedPin', of: 'no attempt, none left' },
  ...VERSIONS.flatMap(version => PROOFS.map(type => ({ type, version }))),
  { type: 'server.warned' },
  { type: 'server.deleted' },
  { type: 'owner.visited' },
  { type: 'owner.disabled' },
  ...ENDS.map(until => ({ type: 'time passes', until }) as const),
]

/** Events that the chart refuses are always tried, except the passing of time, which no chart refuses. */
function eventsOf(snapshot: AccountSnapshot, variant: Variant): PathEvent[] {
  return EVENTS.filter(event => {
    if ('of' in event && event.of === 'second' && snapshot.context.login.context.comparing.length < 2)
      return false
    if ('of' in event && event.of === 'first' && comparesNothing(snapshot.context)) return false
    if (!snapshot.can(event)) return event.type !== 'time passes'
    return isOffered(event, snapshot.context, variant)
  })
}

function wordsOf(event: PathEvent): string {
  if (event.type === 'time passes') return `the ${event.until} ends`
  const words: string[] = [event.type]
  if ('version' in event) words.push(event.version)
  if ('isRightChallenge' in event) words.push(event.isRightChallenge ? 'rightly' : 'wrongly')
  if ('isSignedByDevice' in event) words.push(event.isSignedByDevice ? 'signed' : 'unsigned')
  if ('of' in event) words.push(`of ${event.of}`)
  return words.join(' ')
}

export const loginPathModel: PathModel<AccountSnapshot, PathEvent, AccountInput, Variant> = {
  name: 'keyshare login chart',
  chart: accountModel,
  variants: VARIANTS,
  inputOf: ({ isDeviceBound }) => ({ isDeviceBound, now: 0, version: 1 }),
  titleOf: ({ title }) => title,
  eventsOf,
  stateOf,
  wordsOf,
  effectsOf,
}

/** The number of steps of a path that is still easy to read. */
const LONGEST = 40

export const loginPlan = planOf(loginPathModel, LONGEST)
