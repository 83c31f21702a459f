/** Which lists of proofs are short enough to be checked in the thread of the calls, which takes less CPU than a worker thread where both share one core. The
 *  cost of a proof is known from others with the same tables and as many exponents, which worker threads have checked first, and whose products have built the tables. When the tables
 *  of a key are given up, what was known of them is gone, too. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import type { ProofOfList } from '../../crypto/proof-list.ts'
import { TURN_MS } from './turn-budget.ts'

/** The number of measurements that say what a proof costs. The one in the middle of the last ones counts: some say only that the machine did something else meanwhile. */
const MEASUREMENTS = 15

/** By shape of a proof, how many ms the last ones took. */
type Costs = Map<string, number[]>

export class ShortLists {
  readonly #tablesOf: (proof: ProofOfList) => SharedArrayBuffer | undefined
  readonly #costs = new WeakMap<SharedArrayBuffer, Costs>()

  constructor(arithmetic: Pick<Arithmetic, 'share'>) {
    this.#tablesOf = ({ key }) => arithmetic.share(key).tables
  }

  /** @param proofs all those of one list
   *  @returns how many ms the check of each takes; null: the list is not short, or that is not known */
  costsOf(proofs: readonly ProofOfList[]): readonly number[] | null {
    const costs = proofs.map(proof => this.#costOf(proof))
    return costs.reduce((sum, ms) => sum + ms, 0) < TURN_MS ? costs : null
  }

  /** What the check of that proof took. */
  note(proof: ProofOfList, ms: number): void {
    const tables = this.#tablesOf(proof)
    if (tables === undefined) return
    const costs: Costs = this.#costs.get(tables) ?? new Map()
    this.#costs.set(tables, costs)
    const shape = shapeOf(proof)
    costs.set(shape, [...(costs.get(shape) ?? []), ms].slice(-MEASUREMENTS))
  }

  #costOf(proof: ProofOfList): number {
    const tables = this.#tablesOf(proof)
    const measured = (tables && this.#costs.get(tables)?.get(shapeOf(proof))) ?? []
    if (measured.length < MEASUREMENTS) return Number.POSITIVE_INFINITY
    return measured.toSorted((a, b) => a - b)[MEASUREMENTS >> 1] ?? Number.POSITIVE_INFINITY
  }
}

/** Proofs of one shape, with the same tables, cost about the same. */
function shapeOf(each: ProofOfList): string {
  if (each.kind === 'commitment') return `commitment ${each.proof.mUserResponses.size}`
  const { aResponses, aDisclosed, nonRevocation } = each.proof
  return `disclosure ${aResponses.size} ${aDisclosed.size} ${nonRevocation === undefined ? '' : 'not revoked'}`
}
