/** The model of the session chart for its paths: the kinds of sessions, the events that are tried in every state, and the names of states. A deadline is
 *  the chart's own event; a player moves a clock instead. @module */
import { getNextTransitions, transition } from 'xstate'
import { type SessionInput, type SessionSnapshot, sessionChart } from '../../machines/session.ts'
import type { StampedEvent } from '../../machines/session-events.ts'
import { isTimer } from '../../machines/timers.ts'
import { type Edge, edgesOf, graphOf, type PathModel, waysOf } from './engine/graph.ts'
import type { Path } from './engine/plan.ts'
import { CLAIM, eventsAt } from './session-events.ts'
import { effectsAmong } from './tables/read-chart.ts'

/** The requests of a session that decide which edges it has. */
export type Kind = Pick<SessionInput, 'hasNextSession' | 'issues'>

/** `bound`: the app identifies itself, so that its fetches are `app.fetched`. `unbound`: the app pairs without identifying itself, so that its fetch is `app.fetchedOnce`
 *  (spec/decisions#d27). `any`: both in one session. No app can do that, so one of them is sent through the gate. */
export type AppOfPath = 'bound' | 'unbound' | 'any'

export type SessionVariant = Kind & { readonly hasCallback: boolean; readonly app: AppOfPath }
export type SessionEdge = Edge<StampedEvent, SessionVariant>
export type SessionPath = Path<StampedEvent, SessionVariant>

const KINDS: readonly Kind[] = [
  { hasNextSession: false, issues: false },
  { hasNextSession: true, issues: false },
  { hasNextSession: false, issues: true },
  { hasNextSession: true, issues: true },
]

const VARIANTS: readonly SessionVariant[] = [
  ...variantsOf('bound', false),
  ...variantsOf('bound', true),
  ...variantsOf('unbound', false),
  ...variantsOf('unbound', true),
  ...variantsOf('any', false),
]

function variantsOf(app: AppOfPath, hasCallback: boolean): SessionVariant[] {
  return KINDS.map(kind => ({ ...kind, hasCallback, app }))
}

const at = 0
const SAMPLES = eventsAt(at)
const facts = { at, timeoutMs: 1, connectedTimeoutMs: 1, retentionMs: 1 }

function eventsOf(snapshot: SessionSnapshot, { app }: SessionVariant): StampedEvent[] {
  const timers = getNextTransitions(snapshot).flatMap(({ eventType: type }) =>
    isTimer(type) ? [{ type, at }] : [],
  )
  return [...SAMPLES.filter(event => isOfApp(event, snapshot, app)), ...timers]
}

/** True if that event is possible in that state for a session with such an app. */
function isOfApp({ type }: StampedEvent, snapshot: SessionSnapshot, app: AppOfPath): boolean {
  if (app === 'bound') return type !== 'app.fetchedOnce'
  if (app === 'any') return true
  return type !== 'app.fetched' && !(type === 'app.connected' && stateOf(snapshot) === 'INITIALIZED none')
}

function stateOf(snapshot: SessionSnapshot): string {
  const { value, context } = snapshot
  const leaf = typeof value === 'string' ? value : `CONNECTED.${value.CONNECTED}`
  if (leaf === 'INITIALIZED') return `${leaf} ${context.pairing}`
  return leaf.startsWith('CONNECTED') && context.isFetched ? `${leaf} fetched` : leaf
}

/** The wire status in a name of a state, or `forgotten`. */
export function statusIn(state: string): string {
  return state.split(/[. ]/)[0] ?? state
}

function wordsOf(event: StampedEvent): string {
  if (isTimer(event.type)) return 'time passes'
  if ('method' in event) return `${event.type} ${event.method}`
  const validity = 'isValid' in event ? (event.isValid ? ' valid' : ' invalid') : ''
  return `${event.type}${validity}${'claim' in event && event.claim !== CLAIM ? ' of another claim' : ''}`
}

function titleOf({ hasNextSession, issues, hasCallback, app }: SessionVariant): string {
  const words = [hasNextSession && 'chained', issues && 'issuing', hasCallback && 'with a callback']
  const apps = {
    bound: '',
    unbound: 'with an app that nothing binds',
    any: 'with calls of two kinds of apps',
  }
  return [...words.filter(Boolean), apps[app]].filter(Boolean).join(' ')
}

/** The facts that the guards of an outcome depend on. They do not depend on whether the request was fetched. */
function askedOf(event: StampedEvent, { context }: SessionSnapshot): string {
  if (!('claim' in event) || context.claim === null || context.isFetched) return ''
  return titleOf({ ...context, app: 'bound' })
}

/** The effects that a step requests. */
export function effectsOf(snapshot: SessionSnapshot, event: StampedEvent): string[] {
  const [, actions] = transition(sessionChart, snapshot, event)
  return effectsAmong(actions)
}

export const SESSION_MODEL: PathModel<SessionSnapshot, StampedEvent, SessionInput, SessionVariant> = {
  name: 'session chart',
  chart: sessionChart,
  variants: VARIANTS,
  inputOf: ({ hasNextSession, issues, hasCallback }) => ({ ...facts, hasNextSession, issues, hasCallback }),
  titleOf,
  eventsOf,
  stateOf,
  wordsOf,
  askedOf,
  effectsOf,
}

/** Every edge of the chart, once for each variant of sessions. */
export function sessionEdges(): SessionEdge[] {
  return edgesOf(SESSION_MODEL)
}

/** A state of the chart, and a shortest way to it. */
export type PathState = {
  /** the name of the state, as in `from` of an edge */
  readonly name: string
  /** the name of the state with the kind of session */
  readonly title: string
  readonly kind: Kind
  readonly steps: readonly SessionEdge[]
  /** types of the events that the chart accepts there */
  readonly takes: ReadonlySet<string>
}

/** The states of each kind of session, with an app that identifies itself. */
export function sessionStates(): PathState[] {
  return KINDS.flatMap(kind => {
    const variant = { ...kind, hasCallback: false, app: 'bound' } as const
    const graph = graphOf(SESSION_MODEL, variant)
    return waysOf(graph).map(({ state, steps }) => {
      const taken = (graph.edges.get(state) ?? []).filter(({ isAccepted }) => isAccepted)
      const title = [titleOf(variant), state].filter(Boolean).join(': ')
      return { name: state, title, kind, steps, takes: new Set(taken.map(({ event }) => event.type)) }
    })
  })
}
