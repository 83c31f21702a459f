/** All possible steps of the actors of a chart, read from the chart itself (`@xstate/graph`): each state, each event, and its effect. A state is
 *  named by its value and by the facts that decide the next step. Times in the chart are fixed, since every other value would multiply its
 *  states: the player of a path stamps each event with the time of the test's clock. @module */
import { adjacencyMapToArray, getAdjacencyMap } from '@xstate/graph'
import type { ActorLogic, AnyMachineSnapshot, EventObject } from 'xstate'

/** A chart, and the words for its paths.
 *  @template S snapshots of the chart
 *  @template E its events, stamped
 *  @template V variants of actors: their input, and facts that decide how their events are caused */
export type PathModel<S extends AnyMachineSnapshot, E extends EventObject, I, V> = {
  /** the name in lines of coverage, such as `session chart` */
  readonly name: string
  readonly chart: ActorLogic<S, E, I>
  /** Edges of an earlier variant are not walked again by a later one. */
  readonly variants: readonly V[]
  readonly inputOf: (variant: V) => I
  /** the part of a title before the steps; may be empty */
  readonly titleOf: (variant: V) => string
  /** All events that are tried in that state, timer events included, because `@xstate/graph` leaves these out of a list. */
  readonly eventsOf: (snapshot: S, variant: V) => readonly E[]
  readonly stateOf: (snapshot: S) => string
  /** An event in a few words, different from every other event of that state. */
  readonly wordsOf: (event: E, snapshot: S) => string
  /** The facts of the actor that the guards of that event depend on. They distinguish edges that lead to the same state by different guards. */
  readonly askedOf?: (event: E, snapshot: S) => string
  /** names of the effects that the step requests */
  readonly effectsOf: (snapshot: S, event: E) => readonly string[]
}

/** A state and an event together, and the result. */
export type Edge<E, V> = {
  readonly variant: V
  readonly from: string
  readonly event: E
  /** the event in words */
  readonly trigger: string
  /** the same as `from` if the event is refused */
  readonly to: string
  readonly effects: readonly string[]
  /** false if the chart refuses the event, so that nothing changes */
  readonly isAccepted: boolean
  /** identifies the edge, for every variant */
  readonly key: string
}

/** The edges of one variant, by the state that they leave. */
export type Graph<E, V> = {
  readonly start: string
  readonly edges: ReadonlyMap<string, readonly Edge<E, V>[]>
}

/** Identifies a pair of edges, for every variant. Effects belong to an edge: a pair is the same with and without them. */
export function pairOf(first: Edge<unknown, unknown>, second: Edge<unknown, unknown>): string {
  return [first.from, first.trigger, second.from, second.trigger, second.to].join(' | ')
}

/** All possible steps of actors of one variant. */
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

/** A state, and a shortest way to it of accepted steps. */
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
