/** The lookup tables of one snapshot of schemes, which are built once. @module */
import type { IssuerPublicKey } from '../crypto/public-key.ts'
import type { AttributeTypeId, CredentialTypeId, IssuerId, SchemeId } from '../protocol/ids.ts'
import type {
  AttributeType,
  CredentialType,
  IgnoredFolder,
  Issuer,
  Scheme,
  SchemeContent,
  Schemes,
} from './types.ts'
import { versionText } from './version-text.ts'

/** The proof group of all schemes without a keyshare server. */
const COMMON_GROUP = '.'

export function snapshot(contents: readonly SchemeContent[], ignored: readonly IgnoredFolder[]): Schemes {
  const list = contents.map(({ scheme }) => scheme)
  const privateKeys = new Map(contents.flatMap(({ privateKeys: ring }) => [...ring]))
  const schemes = new Map<SchemeId, Scheme>(list.map(scheme => [scheme.id, scheme]))
  const issuers = new Map<IssuerId, Issuer>(list.flatMap(scheme => [...scheme.issuers]))
  const types = new Map<CredentialTypeId, CredentialType>(
    [...issuers.values()].flatMap(issuer => [...issuer.credentialTypes]),
  )
  const byHash = new Map<string, CredentialType>([...types.values()].map(type => [type.hash, type]))
  const attributes = new Map<AttributeTypeId, AttributeType>(
    [...types.values()].flatMap(type => type.attributes.map(attribute => [attribute.id, attribute] as const)),
  )
  const publicKey = (issuer: IssuerId, counter: number): IssuerPublicKey | undefined =>
    issuers.get(issuer)?.publicKeys.get(counter)
  return {
    version: versionText(list),
    contents,
    schemes,
    ignored,
    scheme: id => schemes.get(id),
    issuer: id => issuers.get(id),
    credentialType: id => types.get(id),
    attributeType: id => attributes.get(id),
    credentialTypeByHash: hex => byHash.get(hex),
    publicKey,
    privateKey: (issuer, counter) => privateKeys.get(issuer)?.get(counter),
    latestPrivateKey: issuer => {
      const keys = privateKeys.get(issuer) ?? new Map()
      return keys.get(Math.max(...keys.keys()))
    },
    groupOf: id => (schemes.get(id)?.keyshareServer ? id : COMMON_GROUP),
  }
}
