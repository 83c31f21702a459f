/** The steps of the tour, and the request of each web site (spec/interface#2.3 to #2.6). One invented person has all the cards.
 *  @module */
import { contextOf } from '../protocol/contexts.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { SessionType } from '../protocol/request.ts'

/** The steps whose web site starts a session. */
export const SESSION_STEPS = [
  'cards',
  'login',
  'either',
  'contract',
  'library',
  'chain',
  'mobile',
  'revoked',
  'twice',
  'pin',
] as const
export type SessionStep = (typeof SESSION_STEPS)[number]

/** In the last step, an OpenID provider starts the sessions. */
export const STEPS = [...SESSION_STEPS, 'sites'] as const
export type Step = (typeof STEPS)[number]

const IDCARD = 'svc-demo.gov.idcard'
const STUDENT = 'svc-demo.uni.student'
/** Used as a library card, which the demo schemes do not have: a note can contain its text. */
const NOTE = 'svc-demo.fast.note'
/** Its number is random blind: site and wallet choose it together, and only the wallet knows it. */
const LOT = 'svc-demo.fast.lot'
/** The only card of the tour that can be revoked. */
export const PERMIT = 'svc-demo.gov.permit'

export const INITIALS = `${IDCARD}.initials`
export const FAMILY_NAME = `${IDCARD}.familyname`
export const OVER_18 = `${IDCARD}.over18`
export const DOCUMENT_NUMBER = `${IDCARD}.docnumber`
export const UNIVERSITY = `${STUDENT}.university`
export const STUDENT_NUMBER = `${STUDENT}.studentnumber`
export const LEVEL = `${STUDENT}.level`
/** The only card that the phone gets without a web site, when its PIN is set up. */
const LOGIN = 'svc-keyshare.keyshare.keyshare'
export const USER_NAME = `${LOGIN}.username`
export const KIND = `${PERMIT}.kind`

export type OfferedCard = {
  readonly credential: string
  /** by attribute name, in the order of the credential type */
  readonly attributes: Readonly<Record<string, string>>
}

const CARDS: readonly OfferedCard[] = [
  {
    credential: IDCARD,
    attributes: {
      initials: 'A.M.',
      familyname: 'de Vries',
      over18: 'yes',
      nationality: 'NL',
      docnumber: 'SPECI2014',
    },
  },
  {
    credential: STUDENT,
    attributes: { university: 'City University', studentnumber: 's1234567', level: 'master' },
  },
]
const LIBRARY_CARD: OfferedCard = {
  credential: NOTE,
  attributes: { text: 'Library card 2045-118', extra: 'City Library, student rate' },
}
const TICKET: OfferedCard = { credential: LOT, attributes: { draw: 'Museum Night raffle' } }
const PERMIT_CARD: OfferedCard = {
  credential: PERMIT,
  attributes: { kind: 'Market stall', number: 'SM-2045-07' },
}

/** The cards that each step issues. */
export const OFFERED: Readonly<Record<Step, readonly OfferedCard[]>> = {
  cards: CARDS,
  library: [LIBRARY_CARD],
  chain: [TICKET],
  revoked: [PERMIT_CARD],
  login: [],
  either: [],
  contract: [],
  mobile: [],
  twice: [],
  pin: [],
  sites: [],
}

/** The attributes that each step requests: a conjunction of disjunctions. An empty inner conjunction makes its disjunction optional (spec/interface#2.4). */
const DISCLOSE: Readonly<Record<Step, readonly (readonly (readonly string[])[])[]>> = {
  cards: [],
  login: [[[STUDENT_NUMBER]]],
  either: [
    [[UNIVERSITY, STUDENT_NUMBER], [DOCUMENT_NUMBER]],
    [[], [FAMILY_NAME]],
  ],
  contract: [[[INITIALS, FAMILY_NAME]]],
  library: [[[UNIVERSITY]]],
  chain: [[[LEVEL]]],
  mobile: [[[OVER_18]]],
  revoked: [[[KIND]]],
  twice: [[[OVER_18]]],
  pin: [[[USER_NAME]]],
  sites: [[[OVER_18]], [[DOCUMENT_NUMBER]]],
}

export const CONTRACT =
  'I rent room 12 in Harbour Street 8, Utrecht, for 450 euro a month, from 1 September. I leave it as I found it.'

/** The revocation key of all permits of the site. It revokes all of them at once, including a second permit of the same holder. */
const REVOCATION_KEY = 'street-market-stall'

/** URLs of the site for one session. */
export type SiteUrls = {
  /** URL at which the session server requests the second session of a chain */
  readonly next: string
  /** URL to which the wallet sends its user at the end of a mobile session */
  readonly back: string
}

type Context = Pick<Profile, 'contextBase'>

/** The members of a request about the web site itself: its name and port, which the phone shows. */
export type Site = Context & { readonly host: string }

/** The body of `POST /session`. For the step `sites` it says only which cards are needed: the provider makes the requests itself. */
export function requestOf(step: Step, site: Site, { next, back }: SiteUrls): object {
  const context = (type: SessionType) => opening(site, type)
  const disclose = DISCLOSE[step]
  switch (step) {
    case 'cards':
      return { ...context('issuing'), credentials: CARDS }
    case 'library':
      return { ...context('issuing'), disclose, credentials: [LIBRARY_CARD] }
    case 'contract':
      return { ...context('signing'), disclose, message: CONTRACT }
    case 'chain':
      return { nextSession: { url: next }, request: { ...context('disclosing'), disclose } }
    case 'revoked':
      return {
        nextSession: { url: next },
        request: {
          ...context('issuing'),
          credentials: [{ ...PERMIT_CARD, revocationKey: REVOCATION_KEY }],
        },
      }
    case 'mobile':
      return { ...context('disclosing'), disclose, clientReturnUrl: back }
    case 'login':
    case 'either':
    case 'twice':
    case 'pin':
    case 'sites':
      return { ...context('disclosing'), disclose }
  }
}

function opening({ contextBase, host }: Site, type: SessionType) {
  return { '@context': contextOf(contextBase, type), host }
}

/** The site's request for the next session, after the first session of a chain has succeeded. */
export function nextRequest(step: Step, site: Site): object {
  if (step === 'revoked') return permitRequest(site)
  return { ...opening(site, 'issuing'), credentials: [TICKET] }
}

/** Requests a permit that is proved unrevoked. */
export function permitRequest(site: Site): object {
  return { ...opening(site, 'disclosing'), disclose: DISCLOSE.revoked, revocation: [PERMIT] }
}

/** The body of `POST /revocation`. */
export function revocationRequest({ contextBase }: Context): object {
  const context = contextOf(contextBase, 'revocation')
  return { '@context': context, type: PERMIT, revocationKey: REVOCATION_KEY }
}
