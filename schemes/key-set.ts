/** Issuer keys by name, in a set that only grows: a key is never removed or replaced, even if the files change later. @module */
import type { IssuerPublicKey } from '../crypto/public-key.ts'
import type { IssuerId } from '../protocol/ids.ts'
import { type PublicKeyId, publicKeyIdText } from '../protocol/keyshare/public-key-ids.ts'
import type { Scheme } from './types.ts'

export type NamedKey = { readonly id: PublicKeyId; readonly key: IssuerPublicKey }

export type KeySet = {
  publicKey(issuer: IssuerId, counter: number): IssuerPublicKey | undefined
  /** The names of all keys, as `publicKeyIdText` writes them. */
  names(): readonly string[]
  /** @returns the names of the keys that were not in the set */
  add(keys: readonly NamedKey[]): readonly string[]
}

/** All keys of all issuers, including expired ones. */
export function keysOf({ issuers }: Scheme): readonly NamedKey[] {
  return [...issuers.values()].flatMap(({ id: issuer, publicKeys }) =>
    [...publicKeys].map(([counter, key]) => ({ id: { issuer, counter }, key })),
  )
}

export function createKeySet(first: readonly NamedKey[]): KeySet {
  const keys = new Map(first.map(({ id, key }) => [publicKeyIdText(id), key]))
  return {
    publicKey: (issuer, counter) => keys.get(publicKeyIdText({ issuer, counter })),
    names: () => [...keys.keys()],
    add(more) {
      const added = more.filter(({ id }) => !keys.has(publicKeyIdText(id)))
      for (const { id, key } of added) keys.set(publicKeyIdText(id), key)
      return added.map(({ id }) => publicKeyIdText(id))
    },
  }
}
