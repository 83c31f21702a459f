/** The issuer keys with which the keyshare server makes its half of a proof (spec/keyshare-server#8.1): all keys of its schemes. A malformed key could reveal m_k, so
 *  keys from other sources are not used. @module */
import type { RemoteError } from '../../protocol/errors.ts'
import { type PublicKeyId, publicKeyIdText } from '../../protocol/keyshare/public-key-ids.ts'
import type { KeySet, NamedKey } from '../../schemes/key-set.ts'

/** The keys of the schemes, which may gain keys while the server runs. */
export type IssuerKeys = Pick<KeySet, 'publicKey'> & {
  /** Reads the schemes again if any of these keys is unknown. All callers together cause at most one reading a minute, and none waits longer than 1 s. */
  readonly lookFor: (ids: readonly PublicKeyId[]) => Promise<void>
}

/** The error for a key that no scheme has. */
export type UnknownKey = new (message: string) => RemoteError

/** The key of that id, without reading the schemes again.
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
