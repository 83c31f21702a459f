/** The claim `verified_claims`: facts about the credentials that claims were taken from. It has the shape of OpenID Connect for Identity Assurance, with the
 *  facts that a session result holds. @module */

import { credentialTypeOf, issuerOf, schemeOf } from '../../protocol/ids.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Claims, UsedAlternative } from './login-result.ts'

/** @param claims of the login
 *  @returns an entry for each item that gave a claim */
export function verifiedClaims(used: readonly UsedAlternative[], claims: Claims): readonly JsonValue[] {
  return used.flatMap(({ alternative, attributes: [first] }) => {
    const [asked] = alternative.attributes
    const given = alternative.claims.flatMap(({ name }) => {
      const value = Object.hasOwn(claims, name) ? claims[name] : undefined
      return value === undefined ? [] : [[name, value] as const]
    })
    if (asked === undefined || first === undefined || given.length === 0) return []
    const verification = {
      trust_framework: schemeOf(asked.type),
      issuer: issuerOf(asked.type),
      credential: credentialTypeOf(asked.type),
      issued: dateOf(first.issuancetime),
      expiry_checked: true, // a result of an expired credential is not valid
      revocation_checked: first.notrevoked === true,
      ...(first.notrevokedbefore !== undefined && { not_revoked_before: dateOf(first.notrevokedbefore) }),
    }
    return [{ verification, claims: Object.fromEntries(given) }]
  })
}

/** @param sec Unix seconds */
function dateOf(sec: number): string {
  return new Date(sec * 1_000).toISOString().slice(0, 10)
}
