/** Paths through a chart that walk every pair of accepted edges, and try every refused event in every state. Pairs are chained: a path continues with the
 *  nearest pair that is not walked yet, and ends where no such pair can be reached. So no path is the beginning of another one. Refused events
 *  are tried when a path first reaches a state: nothing changes, and the path continues. @module */
import type { AnyMachineSnapshot, EventObject } from 'xstate'
import { type Edge, type Graph, graphOf, type PathModel, pairOf } from './graph.ts'

export type Path<E, V> = {
  /** the accepted steps of the path in words */
  readonly title: string
  readonly variant: V
  /** from the creation of an actor; each step begins where the previous one ended */
  readonly steps: readonly Edge<E, V>[]
}

/** The edges, refused events and pairs to walk, and the paths that walk all of them. Keys are those of edges, and of `pairOf`. */
export type Plan<E, V> = {
  readonly name: string
  readonly edges: ReadonlySet<string>
  readonly refused: ReadonlySet<string>
  readonly pairs: ReadonlySet<string>
  readonly paths: readonly Path<E, V>[]
}

/** @param longest number of accepted steps after which a path ends, once its current way is finished; the next paths walk the rest */
export function planOf<S extends AnyMachineSnapshot, E extends EventObject, I, V>(
  model: PathModel<S, E, I, V>,
  longest = Number.POSITIVE_INFINITY,
): Plan<E, V> {
  const plan = { edges: new Set<string>(), refused: new Set<string>(), pairs: new Set<string>() }
  const paths: Path<E, V>[] = []
  for (const variant of model.variants) {
    const graph = graphOf(model, variant)
    const isNew = (key: string, known: Set<string>): boolean => !known.has(key) && known.add(key).has(key)
    const pairs = new Set(pairsIn(graph).filter(key => isNew(key, plan.pairs)))
    const all = [...graph.edges.values()].flat()
    const edges = new Set(
      accepted(all)
        .map(({ key }) => key)
        .filter(key => isNew(key, plan.edges)),
    )
    const refused = new Set(
      refusedAmong(all)
        .map(({ key }) => key)
        .filter(key => isNew(key, plan.refused)),
    )
    for (const steps of walksOf(graph, { pairs, edges, refused }, longest))
      paths.push({ title: titleOf(model.titleOf(variant), steps), variant, steps })
  }
  return { name: model.name, ...plan, paths }
}

function accepted<E, V>(edges: readonly Edge<E, V>[]): Edge<E, V>[] {
  return edges.filter(({ isAccepted }) => isAccepted)
}

function refusedAmong<E, V>(edges: readonly Edge<E, V>[]): Edge<E, V>[] {
  return edges.filter(({ isAccepted }) => !isAccepted)
}

function pairsIn<E, V>({ edges }: Graph<E, V>): string[] {
  const first = accepted([...edges.values()].flat())
  return first.flatMap(edge => accepted(edges.get(edge.to) ?? []).map(next => pairOf(edge, next)))
}

function titleOf<E, V>(prefix: string, steps: readonly Edge<E, V>[]): string {
  const words = accepted(steps).map(({ trigger }) => trigger)
  return `${prefix && `${prefix}: `}${words.join(', ') || 'nothing'}, then ${steps.at(-1)?.to}`
}

/** The keys that are not walked yet. A walk removes its own keys. */
type Left = Readonly<Record<'pairs' | 'edges' | 'refused', Set<string>>>

function walksOf<E, V>(graph: Graph<E, V>, left: Left, longest: number): Edge<E, V>[][] {
  const walks: Edge<E, V>[][] = []
  const next = (): Edge<E, V>[] => nextWalk(graph, left, longest)
  for (let walk = next(); walk.length > 0; walk = next()) walks.push(walk)
  return walks
}

function nextWalk<E, V>(graph: Graph<E, V>, left: Left, longest: number): Edge<E, V>[] {
  const walk: Edge<E, V>[] = []
  while (accepted(walk).length < longest) {
    const leg = nearest(graph, walk.at(-1) ?? null, left)
    if (leg === null) break
    for (const edge of leg) {
      walk.push(...takeRefused(graph, edge.from, left), edge)
      left.edges.delete(edge.key)
    }
    takePairs(walk, left)
  }
  return [...walk, ...takeRefused(graph, walk.at(-1)?.to ?? graph.start, left)]
}

function takePairs<E, V>(walk: readonly Edge<E, V>[], { pairs }: Left): void {
  const steps = accepted(walk)
  for (const [i, edge] of steps.entries()) if (i > 0) pairs.delete(pairOf(steps[i - 1] ?? edge, edge))
}

function takeRefused<E, V>({ edges }: Graph<E, V>, state: string, { refused }: Left): Edge<E, V>[] {
  return refusedAmong(edges.get(state) ?? []).filter(edge => refused.delete(edge.key))
}

/** The shortest way to a key that is not walked yet: a pair, an edge, or a state in which an event is refused.
 *  @param last accepted step of the walk so far; null at the beginning
 *  @returns null if no such key can be reached */
function nearest<E, V>(
  { start, edges }: Graph<E, V>,
  last: Edge<E, V> | null,
  left: Left,
): readonly Edge<E, V>[] | null {
  const isLeft = (before: Edge<E, V> | null, edge: Edge<E, V>): boolean =>
    left.edges.has(edge.key) ||
    (before !== null && left.pairs.has(pairOf(before, edge))) ||
    refusedAmong(edges.get(edge.to) ?? []).some(other => left.refused.has(other.key))
  const seen = new Set<Edge<E, V> | null>([last])
  const queue: (readonly [last: Edge<E, V> | null, leg: readonly Edge<E, V>[]])[] = [[last, []]]
  for (const [before, leg] of queue)
    for (const edge of accepted(edges.get(before?.to ?? start) ?? [])) {
      if (isLeft(before, edge)) return [...leg, edge]
      if (!seen.has(edge)) queue.push([edge, [...leg, edge]])
      seen.add(edge)
    }
  return null
}
