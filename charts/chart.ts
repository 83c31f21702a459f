/** What a chart is as data: states, transitions and the names that stand on them. Pages, drawings and programs that show a chart read this and never
 *  XState's own nodes. @module */

export const CHART_NAMES = ['session', 'delivery', 'login'] as const
export type ChartName = (typeof CHART_NAMES)[number]

export type ChartState = {
  /** its path below the chart, with dots: `CONNECTED.checking` */
  readonly id: string
  /** the last name of its path */
  readonly name: string
  /** null: it stands at the top of the chart */
  readonly parent: string | null
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final'
  /** id of the state below it that comes first; null: there is none */
  readonly initial: string | null
}

export type Guard =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'and'; readonly guards: readonly Guard[] }
  | { readonly kind: 'not'; readonly guard: Guard }
  /** another region is in that state */
  | { readonly kind: 'in'; readonly state: string }

export type Transition = {
  readonly source: string
  /** what causes it: an event, or the end of a delay */
  readonly cause: { readonly kind: 'event' | 'delay'; readonly name: string }
  /** null: nothing but its event */
  readonly guard: Guard | null
  /** null: it stays where it is */
  readonly target: string | null
  /** what others carry out once the step is committed, or what its commit writes */
  readonly effects: readonly string[]
  /** the facts that it changes, by the names of the assignments */
  readonly facts: readonly string[]
}

export type Chart = {
  readonly name: ChartName
  /** id of the state in which it begins */
  readonly initial: string
  /** a state before the states below it, otherwise in the order in which the chart names them */
  readonly states: readonly ChartState[]
  /** those of one state and one cause in the order in which the chart tries them */
  readonly transitions: readonly Transition[]
}

/** @returns the states whose parent is that one; null: those at the top */
export function statesBelow({ states }: Chart, parent: string | null): readonly ChartState[] {
  return states.filter(state => state.parent === parent)
}

/** The guards that must all hold, each of which is none of the kind `and`. */
export function conditionsOf(guard: Guard | null): readonly Guard[] {
  if (guard === null) return []
  return guard.kind === 'and' ? guard.guards.flatMap(conditionsOf) : [guard]
}

/** A condition by its names: `isValid`, `not isBlocked`, `in challenge.pending`. */
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
