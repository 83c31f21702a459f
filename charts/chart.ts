/** A chart as data: its states, its transitions and their names. Pages, drawings and programs that show a chart read this type and never XState's own nodes.
 *  @module */

export const CHART_NAMES = ['session', 'delivery', 'login'] as const
export type ChartName = (typeof CHART_NAMES)[number]

export type ChartState = {
  /** path below the chart, with dots: `CONNECTED.checking` */
  readonly id: string
  /** last name of the path */
  readonly name: string
  /** null: at the top of the chart */
  readonly parent: string | null
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final'
  /** id of the initial child state; null: none */
  readonly initial: string | null
}

export type Guard =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'and'; readonly guards: readonly Guard[] }
  | { readonly kind: 'not'; readonly guard: Guard }
  /** another region is in `state` */
  | { readonly kind: 'in'; readonly state: string }

export type Transition = {
  readonly source: string
  /** the cause: an event, or the end of a delay */
  readonly cause: { readonly kind: 'event' | 'delay'; readonly name: string }
  /** null: the event alone */
  readonly guard: Guard | null
  /** null: the transition stays in its source */
  readonly target: string | null
  /** effects that are performed once the step is committed, or that its commit writes */
  readonly effects: readonly string[]
  /** the facts that it changes, as names of assignments */
  readonly facts: readonly string[]
}

export type Chart = {
  readonly name: ChartName
  /** id of the initial state */
  readonly initial: string
  /** a parent before its children, otherwise in the order of the chart */
  readonly states: readonly ChartState[]
  /** those of one state and one cause are in the order in which the chart tries them */
  readonly transitions: readonly Transition[]
}

/** @param parent null: the chart itself
 *  @returns the direct children of `parent` */
export function statesBelow({ states }: Chart, parent: string | null): readonly ChartState[] {
  return states.filter(state => state.parent === parent)
}

/** The guards that must all hold, with each `and` flattened. */
export function conditionsOf(guard: Guard | null): readonly Guard[] {
  if (guard === null) return []
  return guard.kind === 'and' ? guard.guards.flatMap(conditionsOf) : [guard]
}

/** A condition as text: `isValid`, `not isBlocked`, `in challenge.pending`. */
export function conditionText(guard: Guard): string {
  switch (guard.kind) {
    case 'name':
      return guard.name
    case 'not':
      return `not ${conditionText(guard.guard)}`
    case 'in':
      return `in ${guard.state}`
    case 'and':
      return conditionsOf(guard).map(conditionText).join(' and ')
  }
}
