/** An actor in a list, made from its committed row: one view for each kind. @module */
import { CHARTS } from '../../charts/all-charts.ts'
import type { Chart, ChartName } from '../../charts/chart.ts'
import { enteredAt, sessionDueAt } from '../../machines/session-snapshot.ts'
import type { ListedAccount } from '../../stores/account-store.ts'
import type { ListedDelivery } from '../../stores/delivery-store.ts'
import type { ListedSession } from '../../stores/session-store.ts'
import type { Edge } from './edges.ts'
import { type ShownEvent, type ShownFields, shownFacts } from './shown.ts'

/** One actor. Times are Unix ms by the clock of the server (`now` of the greeting). */
export type ShownActor = {
  readonly chart: ChartName
  /** internal name: a hash of the client token or of the user name, 32 hex digits; for a callback or a mail the name of its row */
  readonly id: string
  /** counts commits, from 1 */
  readonly version: number
  /** current leaf states, with dots: `CONNECTED.checking`; several if regions are parallel; empty: closed without its chart */
  readonly states: readonly string[]
  /** a session: the wire status; a delivery: its state; an account: `active`, `disabled` or `closed` */
  readonly status: string
  /** start of this status; for an account its latest use; null: unknown */
  readonly sinceAt: number | null
  /** when time alone next causes an event; null: never */
  readonly dueAt: number | null
  /** name of the requestor of a session; empty without authentication; null: no session */
  readonly requestor: string | null
  /** content of a delivery: a final status, or the kind of mail; null: no delivery */
  readonly cause: string | null
  /** True if it is in the memory of this process; otherwise it sleeps in the store until its next event. */
  readonly isAwake: boolean
  /** the facts of its chart */
  readonly facts: ShownFields
}

/** Makes the view of a row.
 *  @param isAwake true if its actor is in memory */
export type View<Listed> = (row: Listed, isAwake: boolean) => ShownActor

/** One step of an actor, committed. */
export type ShownStep = {
  readonly chart: ChartName
  readonly id: string
  readonly event: ShownEvent
  /** one edge, or one for each parallel region that the event moved */
  readonly edges: readonly Edge[]
  /** the leaf states before the step */
  readonly before: readonly string[]
  /** the actor after the step; null: it is forgotten, and its row is deleted */
  readonly actor: ShownActor | null
}

/** The paths of the states of each chart. */
const STATES: Readonly<Record<ChartName, ReadonlySet<string>>> = {
  session: pathsIn(CHARTS.session),
  delivery: pathsIn(CHARTS.delivery),
  login: pathsIn(CHARTS.login),
}

export function shownSession(row: ListedSession, isAwake: boolean): ShownActor {
  const { id, version, chart, status, requestor, snapshot } = row
  const facts = shownFacts('session', snapshot?.context)
  return {
    chart: 'session',
    id,
    version,
    status,
    requestor,
    facts,
    cause: null,
    isAwake,
    states: chart === null ? [] : leavesOf('session', snapshot?.value),
    sinceAt: enteredAt(row),
    dueAt: sessionDueAt(row),
  }
}

export function shownDelivery(row: ListedDelivery, isAwake: boolean): ShownActor {
  const { id, version, state, cause, owedAt, dueAt } = row
  return {
    chart: 'delivery',
    id,
    version,
    cause,
    status: state,
    requestor: null,
    isAwake,
    states: leavesOf('delivery', state),
    sinceAt: owedAt,
    dueAt,
    facts: shownFacts('delivery', row),
  }
}

export function shownAccount(row: ListedAccount, isAwake: boolean): ShownActor {
  const { id, version, chart, snapshot, dueAt, seenAt } = row
  const isOpen = typeof snapshot?.value === 'object' && snapshot.value !== null
  return {
    chart: 'login',
    id,
    version,
    dueAt,
    sinceAt: seenAt,
    requestor: null,
    cause: null,
    isAwake,
    states: chart === null ? [] : leavesOf('login', snapshot?.value),
    status: chart === null ? 'closed' : isOpen ? 'active' : 'disabled',
    facts: shownFacts('login', { ...row, ...Object(snapshot?.context) }),
  }
}

/** Only states of the chart are shown, because the stored value may be damaged. */
function leavesOf(chart: ChartName, value: unknown): readonly string[] {
  return leaves(value).filter(path => STATES[chart].has(path))
}

function pathsIn({ states }: Chart): ReadonlySet<string> {
  return new Set(states.map(({ id }) => id))
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, below]) => leaves(below).map(path => `${name}.${path}`))
}
