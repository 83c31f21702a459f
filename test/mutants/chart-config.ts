/** The configuration of a chart as a tree of states and transitions, and one change of one transition. The server of a mutant makes its chart from the changed
 *  configuration (workshop.ts); paths and expectations come from the unchanged one. @module */
import { and, not } from 'xstate'

export type Transition = {
  readonly target?: string | undefined
  readonly guard?: unknown
  readonly actions?: unknown
}
type Transitions = Readonly<Record<string, unknown>>
export type StateConfig = {
  readonly type?: unknown
  readonly states?: Readonly<Record<string, StateConfig>> | undefined
  readonly on?: Transitions | undefined
  readonly after?: Transitions | undefined
}

/** The place of a transition. */
export type TransitionPlace = {
  /** keys of the states from the root */
  readonly path: readonly string[]
  readonly by: 'on' | 'after'
  readonly event: string
  readonly index: number
}

export type TransitionChange =
  | { readonly type: 'dropped' }
  | { readonly type: 'retargeted'; readonly target: string }
  | { readonly type: 'negated' }
  | { readonly type: 'without guard'; readonly index: number }
  | { readonly type: 'without action'; readonly index: number }

export type ChartChange = { readonly place: TransitionPlace; readonly change: TransitionChange }

/** Every transition of a configuration, in its order. */
export function transitionsOf(
  config: StateConfig,
  path: readonly string[] = [],
): { readonly place: TransitionPlace; readonly transition: Transition }[] {
  const own = (['on', 'after'] as const).flatMap(by =>
    Object.entries(config[by] ?? {}).flatMap(([event, listed]) =>
      listOf(listed).map((transition, index) => ({ place: { path, by, event, index }, transition })),
    ),
  )
  const inner = Object.entries(config.states ?? {}).flatMap(([key, state]) =>
    transitionsOf(state, [...path, key]),
  )
  return [...own, ...inner]
}

/** The configuration after one change.
 *  @throws {Error} for a place that it does not have */
export function changedConfig(config: StateConfig, { place, change }: ChartChange): StateConfig {
  const [key, ...path] = place.path
  if (key !== undefined) {
    const state = config.states?.[key]
    if (!state) throw new Error(`chart: expected a state ${key}, got ${Object.keys(config.states ?? {})}`)
    return {
      ...config,
      states: { ...config.states, [key]: changedConfig(state, { place: { ...place, path }, change }) },
    }
  }
  const { by, event, index } = place
  const before = listOf(config[by]?.[event])
  if (index >= before.length)
    throw new Error(`chart: expected a transition ${index} of ${event}, got ${before.length}`)
  const after = before.flatMap((each, other) => (other === index ? changed(each, change) : [each]))
  return { ...config, [by]: { ...config[by], [event]: after } }
}

function changed(transition: Transition, change: TransitionChange): Transition[] {
  switch (change.type) {
    case 'dropped':
      return []
    case 'retargeted':
      return [{ ...transition, target: change.target }]
    case 'negated':
      return [{ ...transition, guard: not(guardOf(transition.guard)) }]
    case 'without guard': {
      const { guard, ...rest } = transition
      const parts = guardParts(guard).filter((_, index) => index !== change.index)
      return [parts.length === 0 ? rest : { ...rest, guard: and(parts.map(guardOf)) }]
    }
    case 'without action':
      return [{ ...transition, actions: actionsOf(transition).filter((_, index) => index !== change.index) }]
  }
}

function listOf(listed: unknown): readonly Transition[] {
  if (listed === undefined) return []
  return (Array.isArray(listed) ? listed : [listed]).map(one =>
    typeof one === 'string' ? { target: one } : one,
  )
}

export function actionsOf({ actions }: Transition): readonly unknown[] {
  return actions === undefined ? [] : Array.isArray(actions) ? actions : [actions]
}

/** The parts of a guard, all of which must hold. */
export function guardParts(guard: unknown): readonly unknown[] {
  if (guard === undefined) return []
  return isAnd(guard) ? guard.guards.flatMap(guardParts) : [guard]
}

function isAnd(guard: unknown): guard is { readonly guards: readonly unknown[] } {
  return (
    typeof guard === 'function' && guard.name === 'and' && 'guards' in guard && Array.isArray(guard.guards)
  )
}

/** A name, or a guard that combines others. */
function guardOf(guard: unknown): string {
  return guard as string // xstate accepts both, but its types ask for the guards of one chart
}

/** The name of a guard or action, if it has one. */
export function nameOf(part: unknown): string {
  if (typeof part === 'string') return part
  if (typeof part === 'object' && part !== null && 'type' in part) return String(part.type)
  if (typeof part !== 'function') return String(part)
  const inner = 'guards' in part && Array.isArray(part.guards) ? part.guards.map(nameOf).join(', ') : '…'
  return `${part.name}(${inner})`
}
