/** What can happen to the actors of a chart, read off the chart itself (`@xstate/graph`): from each state, each event, and what it leads to. A state is
 *  named by its value and by the facts that decide what happens next. Times in the chart are fixed, since every other value would multiply its
 *  states: whoever plays an event stamps it with the time of its own clock. @module */
import { adjacencyMapToArray, getAdjacencyMap } from '@xstate/graph'
import type { ActorLogic, AnyMachineSnapshot, EventObject } from 'xstate'

/** A chart and how its paths are written down.
 *  @template S snapshots of the chart
 *  @template E its events, stamped
 *  @template V what tells variants of actors apart: with what they begin, and what decides how their events are caused */
export type PathModel<S extends AnyMachineSnapshot, E extends EventObject, I, V> = {
  /** as lines of coverage call it, such as `session chart` */
  readonly name: string
  readonly chart: ActorLogic<S, E, I>
  /** What an earlier variant has is not walked again by a later one. */
  readonly variants: readonly V[]
  readonly inputOf: (variant: V) => I
  /** what a title says of a variant before its steps; empty: nothing */
  readonly titleOf: (variant: V) => string
  /** Every event that is tried in that state, those of time included: a list in `@xstate/graph` would leave these out. */
  readonly eventsOf: (snapshot: S, variant: V) => readonly E[]
  readonly stateOf: (snapshot: S) => string
  /** An event in that state in a few words, which tell it from every other event there. */
  readonly wordsOf: (event: E, snapshot: S) => string
  /** Tells edges apart that lead to the same state by other guards: which facts of the actor the guards of that event ask for there. */
  readonly askedOf?: (event: E, snapshot: S) => string
  /** names of the effects that the chart asks for in that step */
  readonly effectsOf: (snapshot: S, event: E) => readonly string[]
}

/** A state and an event together, and what comes of it. */
export type Edge<E, V> = {
  readonly variant: V
  readonly from: string
  readonly event: E
  /** the event in words */
  readonly trigger: string
  /** the same as `from` where the event is refused */
  readonly to: string
  readonly effects: readonly string[]
  /** false: the chart refuses the event, and nothing changes */
  readonly isAccepted: boolean
  /** tells edges apart, whichever variant they are of */
  readonly key: string
}

/** The edges of one variant, by the state that they leave. */
export type Graph<E, V> = {
  readonly start: string
  readonly edges: ReadonlyMap<string, readonly Edge<E, V>[]>
}

/** Tells pairs of edges apart, whichever variant they are of. Effects belong to an edge: a pair is the same with and without them. */
export function pairOf(first: Edge<unknown, unknown>, second: Edge<unknown, unknown>): string {
  return [first.from, first.trigger, second.from, second.trigger, second.to].join(' | ')
}

/** What can happen to actors of one variant. */
export function graphOf<S extends AnyMachineSnapshot, E extends EventObject, I, V>(
  model: PathModel<S, E, I, V>,
  variant: V,
): Graph<E, V> {
  const { chart, stateOf } = model
  const map = getAdjacencyMap<S, E, I>(chart, {
    input: model.inputOf(variant),
    events: snapshot => model.eventsOf(snapshot, variant),
    serializeState: stateOf,
    serializeEvent: event => JSON.stringify(event),
  })
  const edges = new Map<string, Edge<E, V>[]>(Object.keys(map).map(state => [state, []]))
  for (const { state, event, nextState } of adjacencyMapToArray(map))
    edges.get(stateOf(state))?.push(edgeOf(model, variant, { state, event, nextState }))
  const [start = ''] = edges.keys()
  return { start, edges }
}

function edgeOf<S extends AnyMachineSnapshot, E extends EventObject, I, V>(
  { stateOf, wordsOf, effectsOf, askedOf = () => '' }: PathModel<S, E, I, V>,
  variant: V,
  { state, event, nextState }: { readonly state: S; readonly event: E; readonly nextState: S },
): Edge<E, V> {
  const [from, to, trigger, isAccepted] = [
    stateOf(state),
    stateOf(nextState),
    wordsOf(event, state),
    state.can(event),
  ]
  const effects = isAccepted ? effectsOf(state, event) : []
  const outcome = isAccepted ? [to, ...effects] : ['refused']
  const asked = askedOf(event, state)
  const key = [from, trigger, ...(asked === '' ? [] : [asked]), ...outcome].join(' | ')
  return { variant, from, event, trigger, to, effects, isAccepted, key }
}

/** Every edge of every variant. */
export function edgesOf<S extends AnyMachineSnapshot, E extends EventObject, I, V>(
  model: PathModel<S, E, I, V>,
): Edge<E, V>[] {
  return model.variants.flatMap(variant => [...graphOf(model, variant).edges.values()].flat())
}

/** A state, and a shortest way there from the beginning, of accepted steps. */
export type Way<E, V> = { readonly state: string; readonly steps: readonly Edge<E, V>[] }

/** Every state that can be reached, the nearest first. */
export function waysOf<E, V>({ start, edges }: Graph<E, V>): Way<E, V>[] {
  const ways: Way<E, V>[] = [{ state: start, steps: [] }]
  const seen = new Set([start])
  for (const { state, steps } of ways)
    for (const edge of edges.get(state) ?? []) {
      if (!edge.isAccepted || seen.has(edge.to)) continue
      seen.add(edge.to)
      ways.push({ state: edge.to, steps: [...steps, edge] })
    }
  return ways
}
