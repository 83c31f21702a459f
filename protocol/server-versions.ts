/** The features of each version of the session protocol (spec/session-server#8), and the versions that can serve a session. @module */
import { hasLegacyForm } from './legacy-form.ts'
import type { ExtendedRequest, SessionRequest } from './request.ts'
import { compareVersions, HIGHEST_VERSION, type ProtocolVersion, type VersionRange } from './versions.ts'

const CONJUNCTIONS_FROM: ProtocolVersion = { major: 2, minor: 5 }
const REVOCATION_FROM: ProtocolVersion = { major: 2, minor: 6 }
const CHAINS_FROM: ProtocolVersion = { major: 2, minor: 7 }
const PAIRING_FROM: ProtocolVersion = { major: 2, minor: 8 }

/** Requests may contain conjunctions. Apps of lower versions read the legacy form. */
export function hasConjunctions(version: ProtocolVersion): boolean {
  return compareVersions(version, CONJUNCTIONS_FROM) >= 0
}

/** Sessions may be chained, and the server session response is an object. */
export function hasChains(version: ProtocolVersion): boolean {
  return compareVersions(version, CHAINS_FROM) >= 0
}

/** Pairing, the client session request and `/request` exist. */
export function hasPairing(version: ProtocolVersion): boolean {
  return compareVersions(version, PAIRING_FROM) >= 0
}

/** The versions that can serve a session. Pairing, chaining and revocation raise the lowest version; version 2.4 cannot express every request (spec/decisions#versions).
 *  @param floor lowest version that the operator allows */
export function serverVersions(
  { request, nextSession, implicitDisclose }: ExtendedRequest,
  { floor, isPairing }: { readonly floor: ProtocolVersion; readonly isPairing: boolean },
): VersionRange {
  const floors = [
    floor,
    ...(hasLegacyForm(request) ? [] : [CONJUNCTIONS_FROM]),
    ...(speaksOfRevocation(request) ? [REVOCATION_FROM] : []),
    ...(nextSession === null && implicitDisclose.length === 0 ? [] : [CHAINS_FROM]),
    ...(isPairing ? [PAIRING_FROM] : []),
  ]
  return [floors.reduce((a, b) => (compareVersions(a, b) < 0 ? b : a)), HIGHEST_VERSION]
}

/** True if the session needs an app that supports revocation. An older app ignores the witness: its credential could not be revoked, although the requestor asked
 *  for that. */
function speaksOfRevocation(request: SessionRequest): boolean {
  if (request.nonRevocation.length > 0) return true
  return request.type === 'issuing' && request.credentials.some(({ revocationKey }) => revocationKey !== '')
}
