/** Searches for an order of the calls that explains their answers (Wing and Gong's search). Each call takes effect at one moment between its beginning and its
 *  end, one after the other. Internal steps, such as a deadline, may happen between them. Pure. @module */

/** An observed operation, or one that may have happened. */
export type Op = {
  readonly begunAt: number
  /** infinite if it is unknown whether it had an effect, or will have one */
  readonly endedAt: number
  /** in words, for people */
  readonly title: string
}

export type Model<State, O extends Op> = {
  /** the first state of the object */
  readonly initial: State
  /** @returns the states after the operation, if it may take effect now; empty if it may not */
  readonly take: (state: State, op: O) => readonly State[]
  /** Internal steps, and effects of an open operation that is answered later. Each happens at `notBefore` or later. Steps that begin after `until` are left out. */
  readonly inner: (state: State, open: readonly O[], until: number) => readonly Inner<State>[]
  /** the last time at which an operation may begin and still meet this state */
  readonly lastsUntil: (state: State) => number
  /** identifies a state, except for its times */
  readonly keyOf: (state: State) => string
  /** the known bounds of its times */
  readonly timesOf: (state: State) => string
}

export type Inner<State> = { readonly state: State; readonly notBefore: number }

export type Explained<State> =
  | { readonly isExplained: true; readonly state: State }
  /** the state at the end of the longest order, and the next operations, none of which fits */
  | { readonly isExplained: false; readonly state: State; readonly unfit: readonly Op[] }

type Node<State> = { readonly state: State; readonly done: Uint8Array; readonly left: number }

/** If the outcome of a call is unknown, several courses may explain the same answers.
 *  @param fits true if the other observations may result from this course
 *  @returns the state after an order that fits, or else after the first one that explains the answers
 *  @throws {Error} if the history would take too long to explain */
export function linearise<State, O extends Op>(
  model: Model<State, O>,
  given: readonly O[],
  fits: (state: State) => boolean,
  most = 200_000,
): Explained<State> {
  const ops = [...given].sort((a, b) => a.begunAt - b.begunAt)
  const isKnown = ops.map(({ endedAt }) => Number.isFinite(endedAt))
  const first: Node<State> = {
    state: model.initial,
    done: new Uint8Array(ops.length),
    left: isKnown.filter(Boolean).length,
  }
  const seen = new Set<string>()
  const waiting = [first]
  let furthest = first
  let unfitting: Explained<State> | null = null
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { state } = node
    if (node.left === 0 && fits(state)) return { isExplained: true, state }
    if (node.left === 0) unfitting ??= { isExplained: true, state }
    const key = `${node.done.join('')} ${model.keyOf(node.state)} ${model.timesOf(node.state)}`
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size > most && unfitting === null)
      throw new Error(`expected an order among fewer than ${most} states, got more`)
    if (seen.size > most) break
    if (node.left < furthest.left) furthest = node
    waiting.push(...followers(model, ops, node, isKnown))
  }
  if (unfitting !== null) return unfitting
  const unfit = enabled(ops, furthest.done).filter(index => isKnown[index])
  return { isExplained: false, state: furthest.state, unfit: unfit.flatMap(index => ops[index] ?? []) }
}

/** The operations that may be next. An operation that ended before the beginning of another precedes it. */
function enabled(ops: readonly Op[], done: Uint8Array): readonly number[] {
  const firstEnd = firstEndOf(ops, done)
  return ops.flatMap(({ begunAt }, index) => (done[index] === 0 && begunAt <= firstEnd ? [index] : []))
}

function firstEndOf(ops: readonly Op[], done: Uint8Array): number {
  let end = Number.POSITIVE_INFINITY
  for (const [index, op] of ops.entries()) if (done[index] === 0) end = Math.min(end, op.endedAt)
  return end
}

function followers<State, O extends Op>(
  model: Model<State, O>,
  ops: readonly O[],
  { state, done, left }: Node<State>,
  isKnown: readonly boolean[],
): Node<State>[] {
  const next: Node<State>[] = []
  /** operations with an unknown effect are tried last, and assumed only if nothing else explains the observations */
  const unsure: Node<State>[] = []
  const key = model.keyOf(state)
  const lastsUntil = model.lastsUntil(state)
  const open: O[] = []
  const firstEnd = firstEndOf(ops, done)
  for (const [index, op] of ops.entries()) {
    if (op.begunAt > firstEnd || op.begunAt > lastsUntil) break // operations are sorted by beginning
    if (done[index] !== 0) continue
    open.push(op)
    for (const after of model.take(state, op)) {
      const follower = { state: after, done: withDone(done, index), left: left - (isKnown[index] ? 1 : 0) }
      // an operation that changes nothing goes first: no other order explains more
      if (model.keyOf(after) === key && isKnown[index]) return [follower]
      if (isKnown[index]) next.push(follower)
      else unsure.push(follower)
    }
  }
  for (const { state: after, notBefore } of model.inner(state, open, firstEnd))
    if (notBefore <= firstEnd) next.push({ state: after, done, left })
  return [...unsure, ...next]
}

function withDone(done: Uint8Array, index: number): Uint8Array {
  const copy = Uint8Array.from(done)
  copy[index] = 1
  return copy
}
