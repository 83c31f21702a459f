/** Hashes ids and seals payloads of the records of an OpenID provider. A copy of the store neither shows a token nor opens one. @module */
import { hash } from 'node:crypto'
import { NONCE_BYTES, type StorageKeys, seal, unseal } from '../../accounts/storage-keys.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { OidcName } from '../../stores/oidc-store.ts'

export type SealingDeps = {
  readonly keys: StorageKeys
  readonly randomness: Pick<Randomness, 'bytes'>
}

/** @returns SHA-256, Base64url */
export function hashOfId(id: string): string {
  return hash('sha256', id, 'base64url')
}

/** @param payload JSON
 *  @returns Base64url, which opens only as the record of that name */
export function sealPayload(payload: object, name: OidcName, { keys, randomness }: SealingDeps): string {
  const plain = Buffer.from(JSON.stringify(payload))
  const sealed = seal(plain, keys, randomness.bytes(NONCE_BYTES), purposeOf(name))
  return Buffer.from(sealed).toString('base64url')
}

/** @returns the JSON; secret
 *  @throws {RecordError} if the key is not configured, or if the bytes are damaged or belong to another record */
export function openPayload(sealed: string, name: OidcName, { keys }: Pick<SealingDeps, 'keys'>): string {
  return Buffer.from(unseal(Buffer.from(sealed, 'base64url'), keys, purposeOf(name))).toString()
}

function purposeOf({ kind, id }: OidcName): string {
  return `oidc ${kind} ${id}`
}
