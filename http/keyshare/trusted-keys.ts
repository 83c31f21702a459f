/** The issuer keys that the keyshare server takes part with (`spec/keyshare-server.md` 8.1): all keys of all schemes that it has. m_k is only as safe as they are
 *  well formed, so no key comes from anywhere else. @module */
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import type { RemoteError } from '../../protocol/errors.ts'
import { type PublicKeyId, publicKeyIdText } from '../../protocol/keyshare/public-key-ids.ts'
import type { Schemes } from '../../schemes/types.ts'

export type TrustedKey = { readonly id: PublicKeyId; readonly key: IssuerPublicKey }

/** What is said of a key that no scheme has. */
export type UnknownKey = new (message: string) => RemoteError

type KeysOfSchemes = Pick<Schemes, 'publicKey'>

/** @throws Unknown */
export function trustedKey(id: PublicKeyId, schemes: KeysOfSchemes, Unknown: UnknownKey): TrustedKey {
  const key = schemes.publicKey(id.issuer, id.counter)
  if (key !== undefined) return { id, key }
  throw new Unknown(
    `public key not found: expected a key of a scheme of this server, got ${publicKeyIdText(id)}`,
  )
}

/** @returns each key once, in the order in which they are named first
 *  @throws Unknown */
export function trustedKeys(
  ids: readonly PublicKeyId[],
  schemes: KeysOfSchemes,
  Unknown: UnknownKey,
): readonly TrustedKey[] {
  const byName = new Map(ids.map(id => [publicKeyIdText(id), id]))
  return [...byName.values()].map(id => trustedKey(id, schemes, Unknown))
}
