/** The signing keys of an OpenID provider, which all nodes share. They are one sealed record of the store. The commit of that record decides which node
 *  rotates them, so they are rotated once. @module */
import type { Clock } from '../../ports/clock.ts'
import { NEVER } from '../../stores/oidc-store.ts'
import {
  type KeyTimes,
  type RingKey,
  rotated,
  type SigningAlgorithm,
  type SigningJwk,
} from './key-rotation.ts'
import { makeSigningKey } from './make-key.ts'
import type { OidcRecordsStore } from './records.ts'
import { hashOfId, openPayload, type SealingDeps, sealPayload } from './sealed-payloads.ts'

export type KeyRingDeps = SealingDeps & {
  readonly store: OidcRecordsStore
  /** with the time of the store (stores/time/shared-clock.ts) */
  readonly clock: Pick<Clock, 'now'>
  /** the first one signs unless a client asks for another */
  readonly algorithms: readonly SigningAlgorithm[]
  readonly times: KeyTimes
  readonly makeKey?: (algorithm: SigningAlgorithm) => Promise<SigningJwk>
}

/** A key that signs, or is about to sign. */
export type RingKeyAge = {
  readonly alg: SigningAlgorithm
  readonly state: 'current' | 'next'
  /** Unix ms at which the key got this state */
  readonly since: number
}

export interface KeyRing {
  /** Private keys, all to be published: first the current key of each algorithm, which signs, then the next and the former ones. */
  signingKeys(): readonly SigningJwk[]
  /** Since when each key signs or waits to sign, without the keys. */
  ages(): readonly RingKeyAge[]
  /** Reads the store and rotates keys that are due. To be called every few seconds. */
  refresh(): Promise<void>
  /** Calls the listener after each change of `signingKeys`, also by another node.
   *  @returns a function that unsubscribes */
  onChange(listener: () => void): () => void
}

/** The only record of its kind. */
const NAME = { kind: 'Keys', id: hashOfId('oidc_keys') }
const ORDER: readonly RingKey['state'][] = ['current', 'next', 'former']
/** Commits of other nodes between the read and the commit of one rotation. */
const MOST_LOSSES = 20

/** Makes keys if the store has none.
 *  @throws {RecordError} if the stored keys cannot be opened
 *  @throws {StoreError} */
export async function openKeyRing(deps: KeyRingDeps): Promise<KeyRing> {
  const ring = new StoredKeyRing(deps)
  await ring.refresh()
  return ring
}

class StoredKeyRing implements KeyRing {
  readonly #deps: KeyRingDeps
  readonly #listeners = new Set<() => void>()
  #keys: readonly SigningJwk[] = []
  #ages: readonly RingKeyAge[] = []
  /** version of the record that `#keys` was read from */
  #version = 0

  constructor(deps: KeyRingDeps) {
    this.#deps = deps
  }

  signingKeys(): readonly SigningJwk[] {
    return this.#keys
  }

  ages(): readonly RingKeyAge[] {
    return this.#ages
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async refresh(): Promise<void> {
    const { store, clock, makeKey = makeSigningKey, ...rest } = this.#deps
    for (let losses = 0; losses < MOST_LOSSES; losses++) {
      const stored = await store.oidc.find(NAME.kind, NAME.id)
      const before: readonly RingKey[] = stored ? JSON.parse(openPayload(stored.sealed, NAME, rest)) : []
      const version = stored?.version ?? 0
      const keys = await rotated(before, clock.now(), { ...rest, makeKey })
      if (keys === before) return this.#use(keys, version)
      const sealed = sealPayload(keys, NAME, rest)
      const row = { ...NAME, grant: null, uid: null, sealed, expiresAt: NEVER, version: version + 1 }
      if (await store.commit({ oidc: { changes: [{ ...NAME, version, row }] } }))
        return this.#use(keys, row.version)
    }
    throw new Error(
      `signing keys: expected a commit after ${MOST_LOSSES} attempts, got newer versions each time`,
    )
  }

  #use(keys: readonly RingKey[], version: number): void {
    if (version === this.#version) return
    this.#version = version
    this.#keys = ORDER.flatMap(state => keys.filter(key => key.state === state).map(({ jwk }) => jwk))
    this.#ages = keys.flatMap(({ jwk: { alg }, state, since }) =>
      state === 'former' ? [] : [{ alg, state, since }],
    )
    for (const listener of this.#listeners) listener()
  }
}
