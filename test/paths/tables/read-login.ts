/** Reads the keyshare login chart as edges in the words of its table. @module */
import { getAdjacencyMap } from '@xstate/graph'
import { transition } from 'xstate'
import { type LoginSnapshot, loginChart } from '../../../machines/keyshare-login.ts'
import type { StampedLoginEvent } from '../../../machines/login-events.ts'
import type { LoginContext, LoginInput } from '../../../machines/login-facts.ts'
import { loginStateOf, newLogin } from '../../../machines/login-snapshot.ts'
import { isTimer } from '../../../machines/timers.ts'
import { DELETION_SEC } from './login.ts'
import {
  begun,
  NOW,
  type ReadBeginning,
  type ReadEdge,
  readBeginning,
  readChart,
  timersIn,
} from './read-chart.ts'

/** The number of the current attempt, and a number that was never used. */
const ATTEMPT = 1
const OTHER_ATTEMPT = 2

/** A `!` marks a fact that contradicts its state. */
function word(state: string, isConsistent: boolean): string {
  return isConsistent ? state : `${state}!`
}

/** The name of a state in the words of the table. */
export function loginWords(snapshot: LoginSnapshot): string {
  const { value, context } = snapshot
  const { challengeEndsAt, commitmentEndsAt, deleteAt } = context
  const isOver = challengeEndsAt === null && commitmentEndsAt === null && deleteAt !== null
  if (loginStateOf(snapshot) === 'disabled') return word('disabled', isOver)
  if (loginStateOf(snapshot) === null) return 'forgotten'
  const {
    attempts = '',
    challenge = '',
    commitment = '',
  }: Record<string, string> = { ...Object(Object(value).active) }
  const isBlocked = attempts === 'blocked'
  return [
    word(
      isBlocked ? attempts : `open${Math.min(context.attempts, 3)}`,
      context.blockedUntil > 0 === isBlocked,
    ), // a chart that never blocks also has an end
    word(challenge, (challenge === 'pending') === (challengeEndsAt !== null)),
    word(commitment, (commitment !== 'none') === (commitmentEndsAt !== null)),
    context.isDeviceBound ? 'bound' : 'unbound',
    context.comparing.length > 0 ? 'comparing' : 'idle',
    deleteAt === null ? 'kept' : 'warned',
  ].join(' ')
}

function eventsAt(at: number): StampedLoginEvent[] {
  const deleteAt = NOW + DELETION_SEC * 1_000
  return [
    { type: 'app.startedLogin', at },
    ...[true, false].flatMap(flag => [
      { type: 'app.answered', isRightChallenge: flag, attempt: ATTEMPT, at } as const,
      { type: 'app.sentPin', isSignedByDevice: flag, attempt: ATTEMPT, at } as const,
    ]),
    { type: 'app.triedWhileBlocked', at },
    ...[ATTEMPT, OTHER_ATTEMPT].flatMap(attempt => [
      { type: 'server.acceptedPin', attempt, at } as const,
      { type: 'server.refusedPin', attempt, triesLeft: 1, at } as const,
      { type: 'server.refusedPin', attempt, triesLeft: 0, at } as const,
      { type: 'server.changedPin', attempt, at } as const,
      { type: 'server.registeredKey', attempt, at } as const,
    ]),
    ...(['v1', 'v2'] as const).flatMap(version => [
      { type: 'app.requestedCommitments', version, at } as const,
      { type: 'app.requestedResponse', version, at } as const,
    ]),
    { type: 'server.warned', deleteAt, at },
    { type: 'server.deleted', at },
    { type: 'owner.visited', at },
    { type: 'owner.disabled', deleteAt, at },
  ]
}

function eventsIn(snapshot: LoginSnapshot, at = NOW): StampedLoginEvent[] {
  return [...eventsAt(at), ...timersIn(snapshot).map(type => ({ type, at }))]
}

function triggerOf(event: StampedLoginEvent, { context }: LoginSnapshot): string {
  if (isTimer(event.type))
    return event.type.startsWith('xstate.after.challenge.') ? 'challenge ends' : 'commitment ends'
  const words: string[] = [event.type]
  if (event.type === 'app.answered') words.push(event.isRightChallenge ? 'right' : 'wrong')
  if (event.type === 'app.sentPin') words.push(event.isSignedByDevice ? 'signed' : 'unsigned')
  if ('version' in event) words.push(event.version)
  if (event.type === 'server.deleted' && context.deleteAt !== null)
    words.push(event.at < context.deleteAt ? 'early' : 'due')
  const isOutcome = event.type.startsWith('server.') && 'attempt' in event
  if (isOutcome && event.attempt === OTHER_ATTEMPT) words.push('of another attempt')
  const isAttempt = event.type === 'app.triedWhileBlocked' || (!isOutcome && 'attempt' in event)
  if (isAttempt && event.at < context.blockedUntil) words.push('in the block')
  return `${words.join(' ')}${'triesLeft' in event && event.triesLeft === 0 ? ', none left' : ''}`
}

/** Just before and exactly at the end of a block, and the same for a deletion. */
function placed({ value, context }: LoginSnapshot): LoginSnapshot[] {
  const around = (end: number | null): (number | null)[] => (end === null ? [null] : [NOW, NOW + 1])
  return around(context.blockedUntil || null).flatMap(blockedUntil =>
    around(context.deleteAt).map(deleteAt => {
      const facts: LoginContext = {
        ...context,
        blockedUntil: blockedUntil ?? 0,
        deleteAt,
        challengeEndsAt: context.challengeEndsAt && NOW + 1,
        commitmentEndsAt: context.commitmentEndsAt && NOW + 2,
      }
      return loginChart.resolveState({ value, context: facts })
    }),
  )
}

function timesOf({ context: before }: LoginSnapshot, { context: after }: LoginSnapshot): string[] {
  return [
    ...begun('block', before.blockedUntil, after.blockedUntil || null),
    ...begun('challenge', before.challengeEndsAt, after.challengeEndsAt),
    ...begun('commitment', before.commitmentEndsAt, after.commitmentEndsAt),
    ...begun('deletion', before.deleteAt, after.deleteAt),
  ]
}

/** Every state of an account, with and without a device key. An attempt during a block continues once the block has ended. */
function statesOf(isDeviceBound: boolean): LoginSnapshot[] {
  const events = (state: LoginSnapshot): StampedLoginEvent[] =>
    [NOW, state.context.blockedUntil, state.context.deleteAt ?? 0].flatMap(at => eventsIn(state, at))
  const map = getAdjacencyMap<LoginSnapshot, StampedLoginEvent, LoginInput>(loginChart, {
    input: { isDeviceBound },
    events,
    serializeState: loginWords,
  })
  return Object.values(map).map(({ state }) => state)
}

/** The first state of an account, with and without a device key. */
export function loginBeginnings(): ReadBeginning[] {
  return [true, false].map(isDeviceBound => {
    const first = newLogin(loginChart, { isDeviceBound })
    const { blockedUntil, challengeEndsAt, commitmentEndsAt, deleteAt } = first.context
    const times = [
      ...begun('block', null, blockedUntil || null),
      ...begun('challenge', null, challengeEndsAt),
      ...begun('commitment', null, commitmentEndsAt),
      ...begun('deletion', null, deleteAt),
    ]
    return readBeginning(loginWords(first), times)
  })
}

/** Every edge of the keyshare login chart. */
export function loginEdges(): ReadEdge[] {
  return readChart<LoginSnapshot, StampedLoginEvent>({
    states: [true, false].flatMap(statesOf),
    placed,
    events: eventsIn,
    nameOf: loginWords,
    triggerOf,
    timesOf,
    endsOf: ({ context }) => [context.challengeEndsAt, context.commitmentEndsAt],
    can: (state, event) => state.can(event),
    step: (state, event) => transition(loginChart, state, event),
  })
}
