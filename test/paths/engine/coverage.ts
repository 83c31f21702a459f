/** Counts the walked part of a plan, step by step, and makes the line of coverage that a run of the tests prints. @module */
import * as assert from 'uvu/assert'
import { tellAtEnd } from '../../suite.ts'
import { type Edge, pairOf } from './graph.ts'
import type { Plan } from './plan.ts'

/** The steps of one path that were played and compared with the model so far. */
export type Walk<E, V> = {
  /** @param isByGate true if no call causes the event in that state, so that it was sent through the gate */
  note(edge: Edge<E, V>, isByGate?: boolean): void
}

type Counted = 'edges' | 'refused' | 'pairs'

export class Coverage<E, V> {
  readonly #plan: Plan<E, V>
  readonly #where: string
  readonly #walked: Readonly<Record<Counted, Set<string>>> = {
    edges: new Set(),
    refused: new Set(),
    pairs: new Set(),
  }
  readonly #byGate = new Set<string>()

  /** @param where part of the line of coverage, such as `over HTTP on memory` */
  constructor(plan: Plan<E, V>, where: string) {
    this.#plan = plan
    this.#where = where
  }

  /** Begins another path. */
  begin(): Walk<E, V> {
    let last: Edge<E, V> | null = null
    return {
      note: (edge, isByGate = false) => {
        this.#walked[edge.isAccepted ? 'edges' : 'refused'].add(edge.key)
        if (isByGate) this.#byGate.add(edge.key)
        if (!edge.isAccepted) return
        if (last !== null) this.#walked.pairs.add(pairOf(last, edge))
        last = edge
      },
    }
  }

  line(): string {
    const { size } = this.#byGate
    const gate = size === 0 ? '' : ` (${size} events through the gate)`
    const counts = [
      `${this.#counted('edges')} edges`,
      `${this.#counted('refused')} refused events`,
      `${this.#counted('pairs')} pairs`,
    ]
    return `${this.#plan.name} ${this.#where}: ${counts.join(', ')}${gate}`
  }

  /** Keys that no path has walked. */
  left(what: Counted): string[] {
    return [...this.#plan[what]].filter(key => !this.#walked[what].has(key))
  }

  /** Fails if any key of the plan was not walked. The last test of a suite of paths calls it. */
  assertWhole(): void {
    tellAtEnd(this.line())
    for (const what of ['edges', 'refused', 'pairs'] as const)
      assert.equal(this.left(what), [], `${what} that were left out`)
  }

  #counted(what: Counted): string {
    const { size } = this.#plan[what]
    return `${size - this.left(what).length} of ${size}`
  }
}
