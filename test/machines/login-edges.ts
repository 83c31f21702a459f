/** Every edge of the keyshare login chart: from each of its states, each event, and what it leads to. Times follow the block of the state, so that each
 *  attempt is tried just before its end and at its end. @module */
import { adjacencyMapToArray, getAdjacencyMap } from '@xstate/graph'
import { getNextTransitions } from 'xstate'
import { type LoginSnapshot, loginChart } from '../../machines/keyshare-login.ts'
import type { StampedLoginEvent } from '../../machines/login-events.ts'
import { loginStateOf } from '../../machines/login-snapshot.ts'
import { isTimer } from '../../machines/session-snapshot.ts'

export type LoginEdge = {
  /** as `stateOfLogin` writes it */
  readonly from: string
  readonly trigger: string
  /** null: the chart refuses the event, and nothing changes */
  readonly to: string | null
  /** what the chart is in after the event */
  readonly after: string
}

/** An event without its time. */
export type UnstampedLoginEvent = StampedLoginEvent extends infer E
  ? E extends StampedLoginEvent
    ? Omit<E, 'at'>
    : never
  : never

/** The number of the attempt that each path makes, and one that never was. */
const ATTEMPT = 1
const OTHER_ATTEMPT = 2
/** Unix ms of the deletion that is announced: after every block that a path meets. */
const DELETE_AT = 2 ** 45

/** `attempts challenge commitment account comparing deletion`: the regions, and the facts that guards ask for. */
export function stateOfLogin(snapshot: LoginSnapshot): string {
  const { value, context } = snapshot
  if (loginStateOf(snapshot) !== 'active') return `${value}`
  const { attempts, challenge, commitment }: Record<string, string> = { ...Object(Object(value).active) }
  return [
    attempts === 'open' ? `open${Math.min(context.attempts, 3)}` : attempts, // a chart that never blocks has an end, too
    challenge,
    commitment,
    context.isDeviceBound ? 'bound' : 'unbound',
    context.comparing.length > 0 ? 'comparing' : 'idle',
    context.deleteAt === null ? 'kept' : 'warned',
  ].join(' ')
}

function eventsAt(at: number): StampedLoginEvent[] {
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
    { type: 'server.warned', deleteAt: DELETE_AT, at },
    { type: 'owner.visited', at },
    { type: 'owner.disabled', deleteAt: DELETE_AT, at },
  ]
}

function eventsOf(snapshot: LoginSnapshot): StampedLoginEvent[] {
  const { blockedUntil } = snapshot.context
  const times = blockedUntil === 0 ? [0] : [blockedUntil - 1, blockedUntil]
  const timers = getNextTransitions(snapshot).flatMap(({ eventType: type }) =>
    isTimer(type) ? [{ type, at: 0 }] : [],
  )
  const deletions = [DELETE_AT - 1, DELETE_AT].map(at => ({ type: 'server.deleted', at }) as const)
  return [...times.flatMap(eventsAt), ...timers, ...deletions]
}

function triggerOf(event: StampedLoginEvent, { context }: LoginSnapshot): string {
  if (isTimer(event.type)) return event.type.includes('Challenge') ? 'challenge ends' : 'commitment ends'
  const words: string[] = [event.type]
  if (event.type === 'app.answered') words.push(event.isRightChallenge ? 'right' : 'wrong')
  if (event.type === 'app.sentPin') words.push(event.isSignedByDevice ? 'signed' : 'unsigned')
  if ('version' in event) words.push(event.version)
  if (event.type === 'server.deleted') words.push(event.at < DELETE_AT ? 'early' : 'due')
  if (event.type.startsWith('server.') && 'attempt' in event && event.attempt === OTHER_ATTEMPT)
    words.push('foreign')
  const isAttempt =
    event.type.startsWith('app.') && ('attempt' in event || event.type === 'app.triedWhileBlocked')
  if (isAttempt && event.at < context.blockedUntil) words.push('in the block')
  return words.join(' ')
}

/** Every edge from every state that an account can come to, with a device key or without. */
export function loginEdges(): LoginEdge[] {
  return [true, false].flatMap(isDeviceBound => {
    const map = getAdjacencyMap<LoginSnapshot, StampedLoginEvent, { isDeviceBound: boolean }>(loginChart, {
      input: { isDeviceBound },
      events: eventsOf,
      serializeState: stateOfLogin,
    })
    return adjacencyMapToArray(map).map(({ state, event, nextState }) => ({
      from: stateOfLogin(state),
      trigger: triggerOf(event, state),
      to: state.can(event) ? stateOfLogin(nextState) : null,
      after: stateOfLogin(nextState),
    }))
  })
}
