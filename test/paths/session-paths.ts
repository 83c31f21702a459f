/** Paths through the session chart, to be replayed against whatever claims to follow it. They cover edges, not only states: two transitions
 *  between the same two states are two edges, and so is an event that is refused. Times are fixed, since every value in the context
 *  multiplies the states; a deadline appears as the chart's own timer event, and a replay moves its clock past it instead. @module */
import { adjacencyMapToArray, getAdjacencyMap, getShortestPaths, type StatePath } from '@xstate/graph'
import { getNextTransitions } from 'xstate'
import {
  type SessionInput,
  type SessionSnapshot,
  type StampedEvent,
  sessionChart,
} from '../../machines/session.ts'
import { isTimer, statusOf } from '../../machines/session-snapshot.ts'

/** A wire status, or `forgotten`: the row is gone. */
export type PathStatus = NonNullable<ReturnType<typeof statusOf>> | 'forgotten'

/** What a session asks for: which of its edges there are depends on it. */
export type Kind = Pick<SessionInput, 'hasNextSession' | 'issues'>

export const KINDS: readonly Kind[] = [
  { hasNextSession: false, issues: false },
  { hasNextSession: true, issues: false },
  { hasNextSession: false, issues: true },
  { hasNextSession: true, issues: true },
]

export type Edge = {
  readonly kind: Kind
  readonly from: PathStatus
  /** with the sub-state of `CONNECTED`, the pairing method while that counts, and whether the request was fetched for once */
  readonly fromState: string
  readonly event: StampedEvent
  readonly to: PathStatus
  readonly toState: string
  /** false: the chart refuses the event, and nothing changes */
  readonly isAccepted: boolean
}

export type SessionPath = { readonly title: string; readonly kind: Kind; readonly steps: readonly Edge[] }

/** Events of a claim carry its number: 1 is the one that a path makes, 2 one that never was. */
export const CLAIM = 1
export const OTHER_CLAIM = 2

const at = 0
const facts = { at, timeoutMs: 1, connectedTimeoutMs: 1, retentionMs: 1, hasCallback: true }

const OUTCOMES = [
  'server.askedNext',
  'server.signed',
  'server.failed',
  'claim.voided',
  'claim.renewed',
] as const

const samples: readonly StampedEvent[] = [
  { type: 'frontend.chose', method: 'pin', at },
  { type: 'frontend.chose', method: 'none', at },
  { type: 'frontend.paired', at },
  { type: 'app.connected', protocolVersion: '2.8', at },
  { type: 'app.fetched', at },
  { type: 'app.fetchedOnce', at },
  { type: 'app.failed', at },
  { type: 'app.submitted', claim: CLAIM, at },
  { type: 'cancelled', at },
  ...[CLAIM, OTHER_CLAIM].flatMap(claim => [
    { type: 'server.checked', isValid: true, claim, at } as const,
    { type: 'server.checked', isValid: false, claim, at } as const,
    ...OUTCOMES.map(type => ({ type, claim, at })),
  ]),
]

/** A list would replace the events that the library tries by itself, timers included: no path would ever time out. */
function eventsOf(state: SessionSnapshot): StampedEvent[] {
  const timers = getNextTransitions(state).flatMap(({ eventType: type }) =>
    isTimer(type) ? [{ type, at }] : [],
  )
  return [...samples, ...timers]
}

function stateOf({ value, context }: SessionSnapshot): string {
  const leaf = typeof value === 'string' ? value : `CONNECTED.${value.CONNECTED}`
  if (leaf === 'INITIALIZED') return `${leaf} ${context.pairing}`
  return leaf.startsWith('CONNECTED') && context.isFetched ? `${leaf} fetched` : leaf
}

function edgeOf(kind: Kind, from: SessionSnapshot, event: StampedEvent, to: SessionSnapshot): Edge {
  return {
    kind,
    from: statusOf(from) ?? 'forgotten',
    fromState: stateOf(from),
    event,
    to: statusOf(to) ?? 'forgotten',
    toState: stateOf(to),
    isAccepted: from.can(event),
  }
}

/** Two visits of a state differ by where they came from and by which event. */
function byEdge(state: SessionSnapshot, event?: StampedEvent, previous?: SessionSnapshot): string {
  return JSON.stringify([previous && stateOf(previous), event, stateOf(state)])
}

/** A state of the chart, and a shortest way there. */
export type PathState = {
  /** as `fromState` of an edge */
  readonly name: string
  /** with the kind of session */
  readonly title: string
  readonly kind: Kind
  readonly steps: readonly Edge[]
  /** types of the events that the chart takes there */
  readonly takes: ReadonlySet<string>
}

/** The states of each kind of session. */
export function sessionStates(): PathState[] {
  return KINDS.flatMap(statesOf)
}

function statesOf(kind: Kind): PathState[] {
  const paths = getShortestPaths(sessionChart, {
    input: { ...facts, ...kind },
    events: eventsOf,
    serializeState: stateOf,
  })
  const edges = edgesOf(kind)
  return paths.map(path => {
    const name = stateOf(path.state)
    const taken = edges.filter(({ fromState, isAccepted }) => fromState === name && isAccepted)
    const takes = new Set(taken.map(({ event }) => event.type))
    return { name, title: prefixOf(kind) + name, kind, steps: stepsOf(kind, path), takes }
  })
}

/** Every edge of the chart, once for each kind of session. */
export function sessionEdges(): Edge[] {
  return KINDS.flatMap(edgesOf)
}

function edgesOf(kind: Kind): Edge[] {
  const map = getAdjacencyMap<SessionSnapshot, StampedEvent, SessionInput>(sessionChart, {
    input: { ...facts, ...kind },
    events: eventsOf,
    serializeState: stateOf,
  })
  return adjacencyMapToArray(map).map(({ state, event, nextState }) => edgeOf(kind, state, event, nextState))
}

/** Tells edges apart, whichever kind of session they are of. */
export function keyOf({ fromState, event, toState }: Edge): string {
  return JSON.stringify([fromState, event, toState])
}

function nameOf({ event }: Edge): string {
  if (isTimer(event.type)) return 'time passes'
  if ('method' in event) return `${event.type} ${event.method}`
  const validity = 'isValid' in event ? (event.isValid ? ' valid' : ' invalid') : ''
  return `${event.type}${validity}${'claim' in event && event.claim === OTHER_CLAIM ? ' of another claim' : ''}`
}

function prefixOf({ hasNextSession, issues }: Kind): string {
  return `${hasNextSession ? 'chained: ' : ''}${issues ? 'issuing: ' : ''}`
}

function titleOf(kind: Kind, steps: readonly Edge[]): string {
  return `${prefixOf(kind)}${steps.map(nameOf).join(', ')}: ${steps.at(-1)?.to}`
}

/** The paths of each kind of session, without what the kinds before it have.
 *  @param which `accepted`: every edge that the chart takes is the end of a path or on the way of one; `refused`: every event that it refuses
 *  is the end of a path */
export function sessionPaths(which: 'accepted' | 'refused'): SessionPath[] {
  return KINDS.flatMap((kind, i) => {
    const known = new Set(KINDS.slice(0, i).flatMap(edgesOf).map(keyOf))
    return pathsOf(kind, which, edge => !known.has(keyOf(edge)))
  })
}

/** The first step of the library is the chart's beginning. */
function stepsOf(kind: Kind, { steps }: StatePath<SessionSnapshot, StampedEvent>): Edge[] {
  return steps.slice(1).map(({ event, state }, i) => edgeOf(kind, steps[i]?.state ?? state, event, state))
}

function pathsOf(
  kind: Kind,
  which: 'accepted' | 'refused',
  isWanted: (edge: Edge) => boolean,
): SessionPath[] {
  const paths = getShortestPaths(sessionChart, {
    input: { ...facts, ...kind },
    events: eventsOf,
    serializeState: byEdge,
  })
  const all = paths.map(path => stepsOf(kind, path))
  const ending = all.filter(steps => {
    const last = steps.at(-1)
    return last !== undefined && last.isAccepted === (which === 'accepted') && isWanted(last)
  })
  const texts = ending.map(steps => JSON.stringify(steps).slice(0, -1))
  const isPrefix = (text: string): boolean =>
    texts.some(other => other !== text && other.startsWith(`${text},`))
  const whole = ending.filter((_, i) => !isPrefix(texts[i] ?? ''))
  return whole.map(steps => ({ title: titleOf(kind, steps), kind, steps }))
}
