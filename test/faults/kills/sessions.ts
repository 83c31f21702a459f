/** The sessions that are played while servers are killed: one that discloses a credential and issues others, and chains of two. @module */
import type { Profile } from '../../../protocol/profiles.ts'
import { CARD, TICKET } from '../kill-facts.ts'
import type { Requestor } from './requestor.ts'

export const KINDS = ['combined', 'disclosing, then issuing', 'issuing, then disclosing'] as const
export type Kind = (typeof KINDS)[number]

/** The number of sessions in the chain. */
export const lengthOf = (kind: Kind): number => (kind === 'combined' ? 1 : 2)

/** @param tickets number of credentials of an issuance
 *  @returns the extended session request of the first session */
export function requestOf(kind: Kind, profile: Profile, requestor: Requestor, tickets = 2): object {
  const disclosing = (attribute: string): object => ({
    '@context': `${profile.contextBase}/ld/request/disclosure/v2`,
    disclose: [[[`${CARD}.${attribute}`]]],
  })
  const issuing = (attribute: string): object => ({
    ...disclosing(attribute),
    '@context': `${profile.contextBase}/ld/request/issuance/v2`,
    credentials: Array.from({ length: tickets }, (_, i) => ({
      credential: TICKET,
      attributes: { seat: `${i}`, row: 'A' },
    })),
  })
  const followed = (request: object, next: object): object => ({
    nextSession: { url: requestor.addressOf(next) },
    request,
  })
  switch (kind) {
    case 'combined':
      return { request: issuing('name') }
    case 'disclosing, then issuing':
      return followed(disclosing('name'), issuing('colour'))
    case 'issuing, then disclosing':
      return followed(issuing('name'), disclosing('colour'))
  }
}
