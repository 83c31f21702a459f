/** The login credential (spec/keyshare-server#5), from which a wallet app reads the name of its user. The request has exactly one attribute,
 *  because the app takes the name from the credential's only attribute. @module */
import { contextOf } from '../protocol/contexts.ts'
import { type AttributeTypeId, attributeNameOf, credentialTypeOf } from '../protocol/ids.ts'
import type { Profile } from '../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest } from '../protocol/request.ts'

type LoginCredentialFacts = {
  /** the option `keyshare_attribute` */
  readonly attribute: AttributeTypeId
  readonly profile: Profile
  readonly nowSec: number
  /** True: the user must disclose the old credential to get the new one. The old one may have expired (spec/keyshare-server#5.1). */
  readonly isRenewal: boolean
}

/** @returns the request of the issuance session; the credential is valid for one calendar year */
export function loginCredentialRequest(
  userName: string,
  { attribute, profile, nowSec, isRenewal }: LoginCredentialFacts,
): ExtendedRequest {
  const credential = credentialTypeOf(attribute)
  const renewal = {
    disclose: [[[{ type: attribute, value: userName }]]],
    labels: { 0: null },
    skipExpiryCheck: [credential],
  }
  return parseSessionRequest(
    {
      '@context': contextOf(profile.contextBase, 'issuing'),
      credentials: [
        { credential, validity: inOneYear(nowSec), attributes: { [attributeNameOf(attribute)]: userName } },
      ],
      ...(isRenewal && renewal),
    },
    profile,
  )
}

function inOneYear(nowSec: number): number {
  const time = new Date(nowSec * 1_000)
  return time.setUTCFullYear(time.getUTCFullYear() + 1) / 1_000
}
