/** An issuer's operations on accumulators (spec/cryptography#14.1 and #14.2): creating the first one, renewing its signature, and revoking. The
 *  factors of the issuer's key are secret. @module */
import type { Arithmetic } from '../bignum/arithmetic.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../public-key.ts'
import { type RandomBytes, randomBelow } from '../random.ts'
import { rootOf } from '../roots.ts'
import {
  chainEvents,
  eventHash,
  HASH_LENGTH,
  isSame,
  openAccumulator,
  type RevocationEvent,
  type RevocationUpdate,
  type SignedAccumulator,
  signAccumulator,
} from './accumulator.ts'
import { RevocationDataError } from './error.ts'

export type IssuerKeys = { readonly key: IssuerPublicKey; readonly privateKey: IssuerPrivateKey }

/** The most credentials in one root: the time of a root grows with the square of their number. */
const ROOTS_AT_ONCE = 64

/** The parent hash of event 0. */
const NO_PARENT = new Uint8Array(HASH_LENGTH).fill(0x12, 0, 1).fill(0x20, 1, 2)

/** Event 0, and an accumulator in which nothing is revoked.
 *  @throws {RangeError} for a key that does not support revocation */
export function firstUpdate(
  { key, privateKey, nowSec }: IssuerKeys & { readonly nowSec: number },
  randomBytes: RandomBytes,
): RevocationUpdate {
  const root = 1n + randomBelow(key.n - 1n, randomBytes)
  const event = { index: 0, e: 1n, parentHash: NO_PARENT }
  const accumulator = { nu: (root * root) % key.n, index: 0, atSec: nowSec, eventHash: eventHash(event) }
  return { signed: signAccumulator(accumulator, privateKey, key.counter), events: [event] }
}

/** The same accumulator, signed with the present time.
 *  @throws {RevocationDataError} */
export function resign(
  signed: SignedAccumulator,
  { key, privateKey, nowSec }: IssuerKeys & { readonly nowSec: number },
): SignedAccumulator {
  return signAccumulator({ ...openAccumulator(signed, key), atSec: nowSec }, privateKey, key.counter)
}

export type Revocations = IssuerKeys & {
  readonly signed: SignedAccumulator
  readonly lastEvent: RevocationEvent
  /** the primes of the credentials to be revoked, at least one */
  readonly e: readonly bigint[]
  readonly nowSec: number
}

/** Removes credentials from an accumulator.
 *  @returns the new accumulator and only the new events
 *  @throws {RevocationDataError} if the last event is not the one that the accumulator signs
 *  @throws {RangeError} if the keys do not belong together
 *  @throws {Error} if the calculation failed its check */
export function revoke(
  arithmetic: Arithmetic,
  { key, privateKey, signed, lastEvent, e, nowSec }: Revocations,
  randomBytes: RandomBytes,
): RevocationUpdate {
  const { nu, index, eventHash: lastHash } = openAccumulator(signed, key)
  if (!isSame(eventHash(lastEvent), lastHash))
    throw new RevocationDataError('last event: expected the one that the accumulator signs, got another')
  const events = chainEvents(index + 1, lastHash, e)
  const last = events.at(-1)
  if (last === undefined) throw new RangeError('revocation: expected at least one credential')
  let next = nu
  for (let from = 0; from < e.length; from += ROOTS_AT_ONCE) {
    const product = e.slice(from, from + ROOTS_AT_ONCE).reduce((all, each) => all * each, 1n)
    next = rootOf(arithmetic, { base: next, e: product, n: key.n, privateKey }, randomBytes).root
  }
  const accumulator = { nu: next, index: last.index, atSec: nowSec, eventHash: eventHash(last) }
  return { signed: signAccumulator(accumulator, privateKey, key.counter), events }
}
