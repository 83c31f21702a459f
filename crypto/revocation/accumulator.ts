/** Accumulators and the events that change them (spec/cryptography#14.1). An accumulator is one number per issuer key, signed by the issuer, in which
 *  every unrevoked credential has a root. authority.ts changes them. @module */
import { hash } from 'node:crypto'
import { bytesOf } from '../bytes.ts'
import { writeCbor } from '../cbor.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../public-key.ts'
import { readCbor } from './cbor.ts'
import { RevocationDataError } from './error.ts'
import { openSigned, readSigned, signBytes } from './signed-bytes.ts'

export type Accumulator = {
  readonly nu: bigint
  /** index of the last event */
  readonly index: number
  /** Unix seconds of the signature */
  readonly atSec: number
  /** hash of the last event, 34 bytes */
  readonly eventHash: Uint8Array
}

/** As on the wire. */
export type SignedAccumulator = {
  /** CBOR {Msg, Sig} */
  readonly data: Uint8Array
  /** counter of the issuer key */
  readonly keyCounter: number
}

export type RevocationEvent = {
  readonly index: number
  /** the revoked prime; 1 in event 0 */
  readonly e: bigint
  /** hash of the previous event, 34 bytes */
  readonly parentHash: Uint8Array
}

export type RevocationUpdate = {
  readonly signed: SignedAccumulator
  /** the latest events, in order; may be empty */
  readonly events: readonly RevocationEvent[]
}

/** The bits of a credential's prime, which is below 2^195 + 8. */
export const WITNESS_BITS = 196
const MAX_KEY_BITS = 4096
export const HASH_LENGTH = 34
/** The multihash prefix of SHA-256. */
const HASH_PREFIX = Buffer.from('1220', 'hex')
const INDEX_LENGTH = 8

const WHAT = 'accumulator'

/** Decodes without verifying: the signer is unknown.
 *  @throws {RevocationDataError} */
export function readAccumulator({ data }: SignedAccumulator): Accumulator {
  return decode(readSigned(data, WHAT).Msg)
}

/** Decodes, and verifies under the key that it names.
 *  @throws {RevocationDataError} */
export function openAccumulator({ data, keyCounter }: SignedAccumulator, key: IssuerPublicKey): Accumulator {
  if (keyCounter !== key.counter)
    throw new RevocationDataError(`${WHAT}: expected key counter ${key.counter}, got ${keyCounter}`)
  const accumulator = decode(openSigned(data, key, WHAT))
  if (accumulator.nu <= 0n || accumulator.nu >= key.n)
    throw new RevocationDataError(`${WHAT}: expected one from 1 to n - 1, got another number`)
  return accumulator
}

function decode(message: Uint8Array): Accumulator {
  return readCbor(message, WHAT, reader => {
    reader.mapOf(4)
    reader.key('Nu')
    const nu = reader.natural(MAX_KEY_BITS)
    reader.key('Index')
    const index = reader.unsigned()
    reader.key('Time')
    const atSec = reader.unsigned()
    reader.key('EventHash')
    return { nu, index, atSec, eventHash: checkHash(reader.bytes(HASH_LENGTH), WHAT) }
  })
}

/** Only SHA-256 is allowed.
 *  @throws {RevocationDataError} */
export function checkHash(bytes: Uint8Array, what: string): Uint8Array {
  if (bytes.length === HASH_LENGTH && HASH_PREFIX.equals(bytes.subarray(0, HASH_PREFIX.length))) return bytes
  throw new RevocationDataError(`${what}: expected a hash of ${HASH_LENGTH} bytes by SHA-256, got another`)
}

/** @throws {RangeError} for a key that does not support revocation */
export function signAccumulator(
  { nu, index, atSec, eventHash }: Accumulator,
  privateKey: IssuerPrivateKey,
  keyCounter: number,
): SignedAccumulator {
  const message = writeCbor({ Nu: bytesOf(nu), Index: index, Time: atSec, EventHash: eventHash })
  return { data: signBytes(message, privateKey), keyCounter }
}

export function eventHash({ index, e, parentHash }: RevocationEvent): Uint8Array {
  const position = Buffer.alloc(INDEX_LENGTH)
  position.writeBigUInt64BE(BigInt(index))
  const digest = hash('sha256', Buffer.concat([position, parentHash, bytesOf(e)]), 'buffer')
  return new Uint8Array(Buffer.concat([HASH_PREFIX, digest]))
}

/** Chains the events of the revoked primes.
 *  @param parentHash of the first event */
export function chainEvents(
  firstIndex: number,
  parentHash: Uint8Array,
  revoked: readonly bigint[],
): RevocationEvent[] {
  let last = parentHash
  return revoked.map((e, i) => {
    const event = { index: firstIndex + i, e, parentHash: last }
    last = eventHash(event)
    return event
  })
}

/** Verifies an update: the issuer signed it, and its events lead to the accumulator.
 *  @throws {RevocationDataError} */
export function verifyUpdate({ signed, events }: RevocationUpdate, key: IssuerPublicKey): Accumulator {
  const accumulator = openAccumulator(signed, key)
  const last = events.at(-1)
  if (last === undefined) return accumulator
  const first = events[0] ?? last
  const chained = chainEvents(
    first.index,
    first.parentHash,
    events.map(({ e }) => e),
  )
  if (!events.every((event, i) => isSameEvent(event, chained[i])))
    throw new RevocationDataError('events: expected each event to follow its predecessor, got another parent')
  if (last.index !== accumulator.index)
    throw new RevocationDataError(`last event: expected index ${accumulator.index}, got ${last.index}`)
  if (!isSame(eventHash(last), accumulator.eventHash))
    throw new RevocationDataError('last event: expected the one that the accumulator signs, got another')
  return accumulator
}

function isSameEvent(event: RevocationEvent, other: RevocationEvent | undefined): boolean {
  return event.index === other?.index && isSame(event.parentHash, other.parentHash)
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** The news in a fetched update, compared with the known accumulator; both were verified before (spec/cryptography#14.8).
 *  @returns the new events, to be appended, and the new accumulator; null: nothing new
 *  @throws {RevocationDataError} if they do not join, or if nothing is known and there are no events */
export function mergeUpdate(
  known: Pick<RevocationUpdate, 'signed'> | null,
  fetched: RevocationUpdate,
): RevocationUpdate | null {
  if (known === null) {
    if (fetched.events.length > 0) return fetched
    throw new RevocationDataError('update: expected events, because none are known yet, got none')
  }
  const [ours, theirs] = [readAccumulator(known.signed), readAccumulator(fetched.signed)]
  if (theirs.index < ours.index) return null
  const events = newEvents(ours, theirs, fetched.events)
  return events.length > 0 || theirs.atSec > ours.atSec ? { signed: fetched.signed, events } : null
}

/** The events that lead from one accumulator to another that is not older.
 *  @param events verified events of the other accumulator
 *  @throws {RevocationDataError} if the events do not lead there */
export function newEvents(
  from: Accumulator,
  to: Accumulator,
  events: readonly RevocationEvent[],
): readonly RevocationEvent[] {
  const added = events.filter(({ index }) => index > from.index)
  if (added.length !== to.index - from.index)
    throw new RevocationDataError(
      `events: expected those from ${from.index + 1} to ${to.index}, got ${added.length} of them`,
    )
  if (!isSame(added[0]?.parentHash ?? to.eventHash, from.eventHash))
    throw new RevocationDataError(
      'events: expected the first one to follow the last known event, got another parent',
    )
  if (added.length === 0 && to.nu !== from.nu)
    throw new RevocationDataError(
      'accumulator: expected the known one, because no event was added, got another',
    )
  return added
}
