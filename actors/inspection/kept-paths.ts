/** Paths of actors that a viewer has asked to keep: their events with times, without contents, for a replay step by step. They are in memory, bounded, and lost
 *  with the process. @module */
import type { ShownActor, ShownStep } from './views.ts'

/** Maximum number of kept paths. A new path replaces the oldest. */
const MAX_PATHS = 32
/** Maximum number of steps in a path. Further steps are not kept. */
const MAX_STEPS = 500
/** The final state of every chart. */
const FORGOTTEN = 'forgotten'

export type KeptPath = {
  /** the actor when the path began */
  readonly first: ShownActor
  readonly steps: readonly ShownStep[]
  /** true if the actor made more steps than the path keeps */
  readonly isCut: boolean
}

/** The actor at the end of a path, for a list. If its row was deleted, the actor is shown as forgotten. */
export function endOf({ first, steps }: KeptPath): ShownActor {
  const last = steps.at(-1)
  if (last === undefined) return first
  if (last.actor !== null) return last.actor
  return { ...first, states: [FORGOTTEN], status: FORGOTTEN, sinceAt: null, dueAt: null, isAwake: false }
}

export class KeptPaths {
  readonly #paths = new Map<string, KeptPath & { readonly steps: ShownStep[]; isCut: boolean }>()

  has(id: string): boolean {
    return this.#paths.has(id)
  }

  get(id: string): KeptPath | null {
    return this.#paths.get(id) ?? null
  }

  all(): readonly KeptPath[] {
    return [...this.#paths.values()]
  }

  /** @param first an actor without a kept path
   *  @returns its path, which begins now */
  keep(first: ShownActor): KeptPath {
    const [oldest] = this.#paths.keys()
    if (oldest !== undefined && this.#paths.size >= MAX_PATHS) this.#paths.delete(oldest)
    const path = { first, steps: [], isCut: false }
    this.#paths.set(first.id, path)
    return path
  }

  drop(id: string): void {
    this.#paths.delete(id)
  }

  add(step: ShownStep): void {
    const path = this.#paths.get(step.id)
    if (!path) return
    if (path.steps.length < MAX_STEPS) path.steps.push(step)
    else path.isCut = true
  }
}
