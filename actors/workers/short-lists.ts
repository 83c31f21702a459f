/** Which lists of proofs and of credentials are short enough to be checked and signed in the thread of the calls, which takes less CPU than a worker thread where both share one core.
 *  The cost of a proof is known from others with the same tables and exponents of about the same length, which worker threads have checked first, and whose products have built the tables;
 *  that of a signature from others with the same private key and such attributes. When the tables of a key are given up, what was known of them is gone, too. @module */
import { LRUCache } from 'lru-cache'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bitLength } from '../../crypto/bytes.ts'
import type { CredentialToSign } from '../../crypto/issuance.ts'
import type { ProofOfList } from '../../crypto/proof-list.ts'
import { TURN_MS } from './turn-budget.ts'

/** The number of measurements that say what a proof costs. The one in the middle of the last ones counts: some say only that the machine did something else meanwhile. */
const MEASUREMENTS = 15
/** Exponents whose bits differ by less than that cost about the same: the most bits of one attribute. */
const ALIKE_BITS = 256

/** The most shapes of which the cost is known, of one key: those that came last. */
const MOST_SHAPES = 200

/** By shape of a piece, how many ms the last ones took. */
type Costs = LRUCache<string, number[]>

/** The check of a proof, or a signature. */
type ShortPiece = ProofOfList | CredentialToSign

export class ShortLists {
  readonly #arithmetic: Pick<Arithmetic, 'tablesOf'>
  /** by the tables or the private key with which a piece is calculated */
  readonly #costs = new WeakMap<object, Costs>()

  constructor(arithmetic: Pick<Arithmetic, 'tablesOf'>) {
    this.#arithmetic = arithmetic
  }

  /** @param pieces all those of one list
   *  @returns how many ms each takes; null: the list is not short, or that is not known */
  costsOf(pieces: readonly ShortPiece[]): readonly number[] | null {
    const costs = pieces.map(piece => this.#costOf(piece))
    return costs.reduce((sum, ms) => sum + ms, 0) < TURN_MS ? costs : null
  }

  /** What that piece took. */
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

/** Pieces of one shape, by the same means, cost about the same. */
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

/** Which of them there are, because 0 costs nothing, and how long they are together. */
function exponents(numbers: Iterable<readonly [index: number, exponent: bigint]>): string {
  const given = [...numbers].filter(([, exponent]) => exponent !== 0n)
  const bits = given.reduce((sum, [, exponent]) => sum + bitLength(exponent), 0)
  return `${given.map(([index]) => index)}:${Math.ceil(bits / ALIKE_BITS)}`
}
