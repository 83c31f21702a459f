/** Decides which lists of proofs and of credentials are short enough for the main thread. This takes less CPU than a worker thread if both share one core. The
 *  cost of a proof is known from other proofs with the same tables and exponents of about the same length. Worker threads have checked those first, and their
 *  products have built the tables. The cost of a signature is known from others with the same private key and similar attributes. When the tables of a key are
 *  released, their measurements are lost as well. @module */
import { LRUCache } from 'lru-cache'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bitLength } from '../../crypto/bytes.ts'
import type { CredentialToSign } from '../../crypto/issuance.ts'
import type { ProofOfList } from '../../crypto/proof-list.ts'
import { TURN_MS } from './turn-budget.ts'

/** The number of measurements that determine a cost. The median of the last ones counts, because some only show that the machine was busy with other work. */
const MEASUREMENTS = 15
/** Exponents whose bits differ by less than that cost about the same: the most bits of one attribute. */
const ALIKE_BITS = 256

/** The most shapes with a known cost, for each key: the most recently used ones. */
const MOST_SHAPES = 200

/** The latest durations in ms, by shape of a piece. */
type Costs = LRUCache<string, number[]>

/** The check of a proof, or a signature. */
type ShortPiece = ProofOfList | CredentialToSign

export class ShortLists {
  readonly #arithmetic: Pick<Arithmetic, 'tablesOf'>
  /** key: the tables or the private key that a piece is calculated with */
  readonly #costs = new WeakMap<object, Costs>()

  constructor(arithmetic: Pick<Arithmetic, 'tablesOf'>) {
    this.#arithmetic = arithmetic
  }

  /** @param pieces all pieces of one list
   *  @returns the duration of each in ms; null: the list is not short, or a duration is unknown */
  costsOf(pieces: readonly ShortPiece[]): readonly number[] | null {
    const costs = pieces.map(piece => this.#costOf(piece))
    return costs.reduce((sum, ms) => sum + ms, 0) < TURN_MS ? costs : null
  }

  /** Records the duration of a piece. */
  note(piece: ShortPiece, ms: number): void {
    const means = this.#meansOf(piece)
    if (means === undefined) return
    const costs: Costs = this.#costs.get(means) ?? new LRUCache({ max: MOST_SHAPES })
    this.#costs.set(means, costs)
    const shape = shapeOf(piece)
    costs.set(shape, [...(costs.get(shape) ?? []), ms].slice(-MEASUREMENTS))
  }

  #costOf(piece: ShortPiece): number {
    const means = this.#meansOf(piece)
    const measured = (means && this.#costs.get(means)?.get(shapeOf(piece))) ?? []
    if (measured.length < MEASUREMENTS) return Number.POSITIVE_INFINITY
    return measured.toSorted((a, b) => a - b)[MEASUREMENTS >> 1] ?? Number.POSITIVE_INFINITY
  }

  #meansOf(piece: ShortPiece): object | undefined {
    return 'privateKey' in piece ? piece.privateKey : this.#arithmetic.tablesOf(piece.key)
  }
}

/** Pieces of one shape, with the same tables or private key, cost about the same. */
function shapeOf(each: ShortPiece): string {
  if ('privateKey' in each) return `signature ${exponents(each.attributes.entries())}`
  if (each.kind === 'commitment') {
    const { vPrimeResponse, sResponse, mUserResponses } = each.proof
    return `commitment ${exponents(mUserResponses)} ${exponents([vPrimeResponse, sResponse].entries())}`
  }
  const { eResponse, vResponse, aResponses, aDisclosed, nonRevocation } = each.proof
  const { beta, delta, epsilon, zeta } = nonRevocation ?? { beta: 0n, delta: 0n, epsilon: 0n, zeta: 0n }
  const others = [eResponse, vResponse, beta, delta, epsilon, zeta]
  return `disclosure ${exponents(aResponses)} ${exponents(aDisclosed)} ${exponents(others.entries())}`
}

/** The indices of the exponents that are not 0, because 0 costs nothing, and their total length. */
function exponents(numbers: Iterable<readonly [index: number, exponent: bigint]>): string {
  const given = [...numbers].filter(([, exponent]) => exponent !== 0n)
  const bits = given.reduce((sum, [, exponent]) => sum + bitLength(exponent), 0)
  return `${given.map(([index]) => index)}:${Math.ceil(bits / ALIKE_BITS)}`
}
