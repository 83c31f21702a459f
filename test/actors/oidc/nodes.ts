/** Nodes of an OpenID provider on one store, for tests. @module */
import {
  parseStorageKey,
  type StorageKeys,
  storageKeyFile,
  storageKeys,
} from '../../../accounts/storage-keys.ts'
import type { SigningAlgorithm, SigningJwk } from '../../../actors/oidc/key-rotation.ts'
import { createOidcRecords, type OidcRecords, type OidcRecordsStore } from '../../../actors/oidc/records.ts'
import type { SealingDeps } from '../../../actors/oidc/sealed-payloads.ts'
import type { Clock } from '../../../ports/clock.ts'
import { systemRandomness } from '../../../ports/randomness.ts'

/** @param id of the key, which also decides its bytes */
export function keysOf(id: number, olderId?: number): StorageKeys {
  const key = (each: number) => parseStorageKey(storageKeyFile(each, new Uint8Array(32).fill(each)))
  return storageKeys(key(id), olderId === undefined ? [] : [key(olderId)])
}

export const SEALING: SealingDeps = { keys: keysOf(1), randomness: systemRandomness }

export function recordsOn(
  store: OidcRecordsStore,
  clock: Pick<Clock, 'now'>,
  keys = SEALING.keys,
): OidcRecords {
  return createOidcRecords({ ...SEALING, keys, store, clock })
}

/** Keys that sign nothing, numbered from 1, because a thread makes a real one. */
export function keyMaker(): (alg: SigningAlgorithm) => Promise<SigningJwk> {
  let made = 0
  return async alg => {
    const kid = `${alg} ${++made}`
    return { kty: alg === 'RS256' ? 'RSA' : 'EC', d: 'secret', kid, alg, use: 'sig' }
  }
}

export async function errorOf(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => new Error('no error'),
    (reason: unknown) => reason,
  )
  return error instanceof Error ? error : new Error('not an error')
}
