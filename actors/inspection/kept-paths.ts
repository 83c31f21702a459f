/** Paths of actors that a viewer has asked to keep: their events with times, no contents, so that they can be played again step by step. They are in memory,
 *  bounded, and gone with the process. @module */
import type { ShownActor, ShownStep } from './views.ts'

/** The most paths that are kept; the oldest makes room for a new one. */
const MAX_PATHS = 32
/** The most steps of a path; the path ends there. */
const MAX_STEPS = 500
/** The final state of every chart. */
const FORGOTTEN = 'forgotten'

export type KeptPath = {
  /** how the actor stood when the path began */
  readonly first: ShownActor
  readonly steps: readonly ShownStep[]
  /** there were more steps than a path may have */
  readonly isCut: boolean
}

/** How its actor stood at the end of a path, for a list: as one that is forgotten, where it is stored no longer. */
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

  /** @param first of an actor of which no path is kept
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
