/** The issuer keys that the keyshare server takes part with (spec/keyshare-server#8.1): all keys of all schemes that it has. m_k is only as safe as they are
 *  well formed, so no key comes from anywhere else. @module */
import type { RemoteError } from '../../protocol/errors.ts'
import { type PublicKeyId, publicKeyIdText } from '../../protocol/keyshare/public-key-ids.ts'
import type { KeySet, NamedKey } from '../../schemes/key-set.ts'

/** The keys of the schemes, which may gain keys while the server runs. */
export type IssuerKeys = Pick<KeySet, 'publicKey'> & {
  /** Looks whether the schemes have gained the keys that are not known. All callers together cause one reading a minute, and none waits longer than 1 s. */
  readonly lookFor: (ids: readonly PublicKeyId[]) => Promise<void>
}

/** The error for a key that no scheme has. */
export type UnknownKey = new (message: string) => RemoteError

/** A key that is known by now.
 *  @throws Unknown */
export function trustedKey(
  id: PublicKeyId,
  issuerKeys: Pick<IssuerKeys, 'publicKey'>,
  Unknown: UnknownKey,
): NamedKey {
  const key = issuerKeys.publicKey(id.issuer, id.counter)
  if (key !== undefined) return { id, key }
  throw new Unknown(
    `public key not found: expected a key of a scheme of this server, got ${publicKeyIdText(id)}`,
  )
}

/** @returns each key once, in the order in which they are named first
 *  @throws Unknown */
export async function trustedKeys(
  ids: readonly PublicKeyId[],
  issuerKeys: IssuerKeys,
  Unknown: UnknownKey,
): Promise<readonly NamedKey[]> {
  await issuerKeys.lookFor(ids)
  const byName = new Map(ids.map(id => [publicKeyIdText(id), id]))
  return [...byName.values()].map(id => trustedKey(id, issuerKeys, Unknown))
}
