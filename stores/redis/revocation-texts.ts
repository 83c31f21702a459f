/** Values of revocation as texts; each writer has its reader. Numbers are digits in texts, because they are too large for JSON. @module */
import type { RevocationEvent } from '../../crypto/revocation/accumulator.ts'
import type { IssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import type { CredentialTypeId } from '../../protocol/ids.ts'
import type { AccumulatorRow } from '../revocation-store.ts'
import { readJson } from './stored-json.ts'

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function bytesIn(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

/** @param values version, signed accumulator and index
 *  @returns null: there is none */
export function accumulatorRow(
  type: CredentialTypeId,
  keyCounter: number,
  [version, signed, index]: readonly (string | null)[],
): AccumulatorRow | null {
  if (!version || !signed || !index) return null
  const data = bytesIn(signed)
  return { type, keyCounter, version: Number(version), signed: { data, keyCounter }, index: Number(index) }
}

export function textOfEvent({ index, e, parentHash }: RevocationEvent): string {
  return `${index} ${e} ${base64Of(parentHash)}`
}

export function eventOf(text: string): RevocationEvent {
  const [index = '', e = '', parentHash = ''] = text.split(' ')
  return { index: Number(index), e: BigInt(e), parentHash: bytesIn(parentHash) }
}

/** The record without the time of its revocation, which changes. */
export function textOfRecord({ revokedAtNs: _, ...record }: IssuanceRecord): string {
  const { issuedAtNs, validUntilNs, e } = record
  const digits = { issuedAtNs: String(issuedAtNs), validUntilNs: String(validUntilNs), e: String(e) }
  return JSON.stringify({ ...record, ...digits })
}

/** @param values the text, and the time of the revocation
 *  @returns null: there is none */
export function recordOf([text, revokedAtNs]: readonly (string | null)[]): IssuanceRecord | null {
  if (!text || !revokedAtNs) return null
  const { issuedAtNs, validUntilNs, e, ...record } = readJson(text)
  return {
    ...record,
    issuedAtNs: BigInt(issuedAtNs),
    validUntilNs: BigInt(validUntilNs),
    e: BigInt(e),
    revokedAtNs: BigInt(revokedAtNs),
  }
}
