/** The disclosure request of a login as a requestor sends it (spec/interface#2.3). @module */
import { contextOf } from '../../../protocol/contexts.ts'
import type { Profile } from '../../../protocol/profiles.ts'
import type { DisclosureRequest } from '../../../protocol/request.ts'
import { ATTRIBUTE, CREDENTIAL_TYPE } from '../../../protocol/wire/ids.ts'
import type { WireDisclosure } from '../../../protocol/wire/session-request.ts'

/** The members of a disclosure request that logins use. */
export type AskedDisclosure = Pick<DisclosureRequest, 'disclose' | 'nonRevocation' | 'clientReturnUrl'>

export function wireRequest(
  { disclose, nonRevocation, clientReturnUrl }: AskedDisclosure,
  { contextBase }: Pick<Profile, 'contextBase'>,
): WireDisclosure {
  const wired = disclose.map(inner =>
    inner.map(attributes => attributes.map(each => ({ ...each, type: ATTRIBUTE.parse(each.type) }))),
  )
  const [first = [], ...others] = wired
  const revocation = nonRevocation.map(
    ({ credential, toleranceSec }) =>
      [CREDENTIAL_TYPE.parse(credential), { tolerance: toleranceSec }] as const,
  )
  return {
    '@context': contextOf(contextBase, 'disclosing'),
    disclose: [first, ...others],
    ...(revocation.length > 0 && { revocation: Object.fromEntries(revocation) }),
    ...(clientReturnUrl !== '' && { clientReturnUrl }),
  }
}
