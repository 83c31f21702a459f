/** What the demo revokes: the permit of the tour. The schemes in memory name the demo itself as its revocation server, where the scheme on disk names an
 *  address of its own. @module */
import type { RevocationSettings } from '../actors/revocation/revocation.ts'
import { type CredentialTypeId, issuerOf, parseCredentialTypeId, schemeOf } from '../protocol/ids.ts'
import type { Issuer, Scheme, Schemes } from '../schemes/types.ts'
import { PERMIT } from './steps.ts'

const TYPE = parseCredentialTypeId(PERMIT)

/** The session server of the demo makes the accumulators, and revokes. */
export const AUTHORITY: ReadonlyMap<CredentialTypeId, RevocationSettings> = new Map([
  [TYPE, { isAuthority: true, isServer: true, serverUrl: null, toleranceSec: null, hasStream: false }],
])

/** @param server address and prefix of the session server, without a slash at the end */
export function withRevocationServer(schemes: Schemes, server: string): Schemes {
  const scheme = schemes.scheme(schemeOf(TYPE))
  const issuer = schemes.issuer(issuerOf(TYPE))
  const found = schemes.credentialType(TYPE)
  if (!scheme || !issuer || !found) return schemes
  const type = { ...found, revocationServers: [server] }
  const movedIssuer: Issuer = {
    ...issuer,
    credentialTypes: new Map(issuer.credentialTypes).set(TYPE, type),
  }
  const moved: Scheme = { ...scheme, issuers: new Map(scheme.issuers).set(issuer.id, movedIssuer) }
  return {
    ...schemes,
    schemes: new Map(schemes.schemes).set(scheme.id, moved),
    scheme: id => (id === scheme.id ? moved : schemes.scheme(id)),
    issuer: id => (id === issuer.id ? movedIssuer : schemes.issuer(id)),
    credentialType: id => (id === TYPE ? type : schemes.credentialType(id)),
    credentialTypeByHash: hex => (hex === type.hash ? type : schemes.credentialTypeByHash(hex)),
  }
}
