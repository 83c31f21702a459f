/** Witnesses (spec/cryptography#14.3 and #14.4). A witness is the root that shows that a credential is not revoked. It is created at issuance, and its
 *  wallet updates it. Secret: a proof of non-revocation hides u and e. @module */
import type { Arithmetic } from '../bignum/arithmetic.ts'
import { fitsBits } from '../bytes.ts'
import { randomPrime } from '../prime.ts'
import type { IssuerPublicKey } from '../public-key.ts'
import type { RandomBytes } from '../random.ts'
import { rootOf } from '../roots.ts'
import {
  newEvents,
  openAccumulator,
  type RevocationUpdate,
  readAccumulator,
  type SignedAccumulator,
  verifyUpdate,
  WITNESS_BITS,
} from './accumulator.ts'
import type { IssuerKeys } from './authority.ts'
import { RevocationDataError } from './error.ts'

/** u^e is the accumulator; e is the revocation attribute of the credential. */
export type Witness = { readonly u: bigint; readonly e: bigint; readonly signed: SignedAccumulator }

/** The interval of the primes. Small primes need more rounds of the test than those of signatures. */
const PRIMES = { from: 8n, bits: 195, rounds: 20 }

/** A fresh prime e and its root, for one credential.
 *  @throws {RevocationDataError} for an accumulator of another key
 *  @throws {RangeError} if the keys do not belong together
 *  @throws {Error} if the calculation failed its check */
export function issueWitness(
  arithmetic: Arithmetic,
  { key, privateKey, signed }: IssuerKeys & { readonly signed: SignedAccumulator },
  randomBytes: RandomBytes,
): Witness {
  const { nu } = openAccumulator(signed, key)
  const e = randomPrime(arithmetic, PRIMES, randomBytes)
  return { u: rootOf(arithmetic, { base: nu, e, n: key.n, privateKey }, randomBytes).root, e, signed }
}

/** True if the witness is valid for the accumulator that it comes with.
 *  @param witness as received, no number checked */
export function isWitnessRight(arithmetic: Arithmetic, witness: Witness, key: IssuerPublicKey): boolean {
  try {
    return isRoot(arithmetic, witness, openAccumulator(witness.signed, key).nu, key.n)
  } catch (error) {
    if (error instanceof RevocationDataError) return false
    throw error
  }
}

function isRoot(arithmetic: Arithmetic, { u, e }: Pick<Witness, 'u' | 'e'>, nu: bigint, n: bigint): boolean {
  const isSized = u > 0n && u < n && e > PRIMES.from && fitsBits(e, WITNESS_BITS)
  return isSized && arithmetic.secretPower(u, e, n) === nu
}

/** The witness for the accumulator of an update, or the same witness if the update is older.
 *  @param witness a valid one
 *  @param update as received
 *  @throws {RevocationDataError} if the update is invalid, or if its events begin too late to join */
export function updateWitness(
  arithmetic: Arithmetic,
  witness: Witness,
  update: RevocationUpdate,
  key: IssuerPublicKey,
): Witness | 'revoked' {
  const [ours, theirs] = [readAccumulator(witness.signed), verifyUpdate(update, key)]
  const { signed } = update
  if (theirs.index < ours.index) return witness
  const revoked = newEvents(ours, theirs, update.events)
  if (revoked.length === 0) return theirs.atSec > ours.atSec ? { ...witness, signed } : witness
  const product = revoked.reduce((all, { e }) => all * e, 1n)
  if (product % witness.e === 0n) return 'revoked'
  const u = updatedRoot(arithmetic, witness, { product, nu: theirs.nu, n: key.n })
  const isRight = u !== undefined && isRoot(arithmetic, { u, e: witness.e }, theirs.nu, key.n)
  if (!isRight)
    throw new RevocationDataError('update: expected events that lead to the accumulator, got others')
  return { u, e: witness.e, signed }
}

/** u^b nu^a with a e + b product = 1. The prime e is secret: b is calculated from it without a branch.
 *  @returns undefined if nu has no inverse; a wrong number if e is no prime */
function updatedRoot(
  arithmetic: Arithmetic,
  { u, e }: Witness,
  { product, nu, n }: { readonly product: bigint; readonly nu: bigint; readonly n: bigint },
): bigint | undefined {
  const inverseNu = arithmetic.inverse(nu, n)
  const b = arithmetic.secretPower(product % e, e - 2n, e)
  if (inverseNu === undefined) return undefined
  const minusA = (b * product - 1n) / e
  return (arithmetic.secretPower(u, b, n) * arithmetic.secretPower(inverseNu, minusA, n)) % n
}
