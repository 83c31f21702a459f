/** The metadata attribute, index 1 of every credential (spec/cryptography#5.3): version, dates in whole weeks, key counter and credential type, in 24
 *  bytes. @module */
import { hash } from 'node:crypto'
import { bytesOf, integerOf } from './bytes.ts'

const WEEK_SEC = 604_800
const LENGTH = 24
const HASH_LENGTH = 16
const MAX_UINT16 = 0xffff

export type Metadata = {
  /** 2 or 3; determines how attributes are encoded */
  readonly version: number
  readonly signingDateSec: number
  readonly validityWeeks: number
  readonly expiresAtSec: number
  readonly keyCounter: number
  /** lower-case hex of 16 bytes, see `credentialTypeHash` */
  readonly credentialTypeHash: string
}

/** The name of a credential type in metadata: lower-case hex of the first 16 bytes of SHA-256 of its identifier. */
export function credentialTypeHash(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 2 * HASH_LENGTH)
}

/** @throws {RangeError} for more than 24 bytes or an unknown version */
export function decodeMetadata(a: bigint): Metadata {
  const metadata = decodeAnyMetadata(a)
  if (metadata.version !== 2 && metadata.version !== 3)
    throw new RangeError(`metadata attribute: expected version 2 or 3, got ${metadata.version}`)
  return metadata
}

/** As `decodeMetadata`, of any version, for a person who looks at it.
 *  @throws {RangeError} for more than 24 bytes */
export function decodeAnyMetadata(a: bigint): Metadata {
  const bytes = bytesOf(a)
  if (bytes.length > LENGTH)
    throw new RangeError(`metadata attribute: expected at most ${LENGTH} bytes, got ${bytes.length}`)
  const padded = Buffer.alloc(LENGTH)
  padded.set(bytes, LENGTH - bytes.length)
  const signingDateSec = padded.readUInt16BE(2) * WEEK_SEC // the first of the date's three bytes is never used
  const validityWeeks = padded.readUInt16BE(4)
  return {
    version: padded.readUInt8(0),
    signingDateSec,
    validityWeeks,
    expiresAtSec: signingDateSec + validityWeeks * WEEK_SEC,
    keyCounter: padded.readUInt16BE(6),
    credentialTypeHash: padded.toString('hex', LENGTH - HASH_LENGTH),
  }
}

function assertUint16(what: string, value: number): void {
  if (!Number.isInteger(value) || value < 0 || value > MAX_UINT16)
    throw new RangeError(`${what}: expected an integer from 0 to ${MAX_UINT16}, got ${value}`)
}

/** An expiry in the resolution of metadata (spec/interface#2.5): whole weeks, rounded down.
 *  @param atSec Unix seconds */
export function wholeWeeks(atSec: number): number {
  return Math.floor(atSec / WEEK_SEC) * WEEK_SEC
}

/** Metadata of a credential issued at `issuedAtSec`. Both dates are rounded down to a week, so an expiry within the week of issue gives a credential that is
 *  already expired.
 *  @param input.credentialType identifier `<scheme>.<issuer>.<credential>`
 *  @throws {RangeError} if the expiry lies before the week of issue, or a number does not fit */
export function encodeMetadata(input: {
  readonly issuedAtSec: number
  readonly expiresAtSec: number
  readonly keyCounter: number
  readonly credentialType: string
  readonly version?: 2 | 3
}): bigint {
  const signingWeeks = Math.floor(input.issuedAtSec / WEEK_SEC)
  const validityWeeks = Math.floor((input.expiresAtSec - signingWeeks * WEEK_SEC) / WEEK_SEC)
  if (validityWeeks < 0) throw new RangeError('cannot set expired date')
  assertUint16('signing date in weeks', signingWeeks)
  assertUint16('validity in weeks', validityWeeks)
  assertUint16('key counter', input.keyCounter)
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeUInt8(input.version ?? 3, 0)
  bytes.writeUInt16BE(signingWeeks, 2)
  bytes.writeUInt16BE(validityWeeks, 4)
  bytes.writeUInt16BE(input.keyCounter, 6)
  bytes.write(credentialTypeHash(input.credentialType), LENGTH - HASH_LENGTH, 'hex')
  return integerOf(bytes)
}
