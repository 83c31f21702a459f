/** The screens of the phone as texts: cards, the question of a session, and its end. @module */

import type { Candidate, ItemCandidates, UnprovableInstance } from '../libraries/wallet/candidates.ts'
import type { FailureReason } from '../libraries/wallet/failure.ts'
import type { OfferedCredential } from '../libraries/wallet/offers.ts'
import type { ConsentQuestion, SessionOutcome } from '../libraries/wallet/session.ts'
import type { CredentialView } from '../libraries/wallet/wallet.ts'
import type { AttributeRequestId } from '../protocol/ids.ts'
import type { Schemes } from '../schemes/types.ts'
import { attributeName, cardName, issuerName } from './names.ts'

export type AttributeView = { readonly name: string; readonly value: string | null }
export type CardView = {
  readonly name: string
  readonly issuer: string
  readonly attributes: readonly AttributeView[]
}
/** A card in the wallet. */
export type HeldCardView = CardView & { readonly isRevoked: boolean }
/** An offered card. Attributes without a value are left out, except those that issuer and wallet choose together. */
export type OfferView = CardView & { readonly expiresAtSec: number; readonly isRevocable: boolean }
/** One way to answer an item; no cards: share nothing. */
export type CandidateView = { readonly cards: readonly CardView[] }
export type ItemView = {
  readonly candidates: readonly CandidateView[]
  /** if there are no candidates: the missing cards, one text per alternative */
  readonly missing: readonly string[]
  /** matching cards that cannot be used, each as a sentence with the reason */
  readonly unprovable: readonly string[]
  /** disclosed in an earlier session of the chain, and now again to prove that the wallet is the same */
  readonly isRepeated: boolean
}

export type QuestionView = {
  readonly kind: ConsentQuestion['kind']
  readonly items: readonly ItemView[]
  /** message to sign; null in other sessions */
  readonly message: string | null
  /** cards to receive */
  readonly offers: readonly OfferView[]
  readonly canAnswer: boolean
}

/** The results of a session, over all sessions of its chain. */
export type DoneView = {
  readonly shared: readonly AttributeView[]
  readonly hasSigned: boolean
  /** names of the cards */
  readonly received: readonly string[]
}

export type PhoneState = { readonly host: string } & (
  | { readonly screen: 'connecting' | 'sending' }
  | { readonly screen: 'pairing'; readonly code: string }
  /** after a wrong PIN, the number of tries left */
  | { readonly screen: 'pin'; readonly triesLeft: number | null }
  | ({ readonly screen: 'consent' } & QuestionView)
  | ({ readonly screen: 'done'; readonly returnUrl: string | null } & DoneView)
  | {
      readonly screen: 'refused'
      readonly returnUrl: string | null
      readonly hasDone: boolean
      /** false: refusing was the only option */
      readonly couldAnswer: boolean
    }
  | {
      readonly screen: 'failed'
      readonly returnUrl: string | null
      readonly hasDone: boolean
      readonly reason: string
      /** seconds in which no PIN is accepted; null: another reason */
      readonly blockedSec: number | null
    }
)

export function cardView(schemes: Schemes, { type, attributes, revocation }: CredentialView): HeldCardView {
  return {
    isRevoked: revocation?.isRevoked === true,
    name: cardName(schemes, type),
    issuer: issuerName(schemes, type),
    attributes: attributes.map(({ id, value }) => ({ name: attributeName(schemes, id), value })),
  }
}

export function questionView(schemes: Schemes, question: ConsentQuestion): QuestionView {
  const { kind, candidates, request } = question
  return {
    kind,
    items: candidates.items.map((item, i) => ({
      ...itemView(schemes, item),
      isRepeated: i >= request.disclose.length,
    })),
    message: kind === 'signing' ? question.message : null,
    offers: kind === 'issuing' ? question.credentials.map(offered => offerView(schemes, offered)) : [],
    canAnswer: candidates.isSatisfiable,
  }
}

function offerView(
  schemes: Schemes,
  { type, attributes, expiresAtSec, isRevocable }: OfferedCredential,
): OfferView {
  return {
    isRevocable,
    name: cardName(schemes, type),
    issuer: issuerName(schemes, type),
    attributes: attributes
      .filter(({ value, isRandomBlind }) => value !== null || isRandomBlind)
      .map(({ id, value }) => ({ name: attributeName(schemes, id), value })),
    expiresAtSec,
  }
}

function itemView(schemes: Schemes, item: ItemCandidates): Omit<ItemView, 'isRepeated'> {
  return {
    candidates: item.candidates.map(candidate => candidateView(schemes, candidate)),
    missing: item.missing.map(option => cardsOf(schemes, option)),
    unprovable: [
      ...new Set(item.unprovable.map(({ type, reason }) => WHY_NOT[reason](cardName(schemes, type)))),
    ],
  }
}

const WHY_NOT: Readonly<Record<UnprovableInstance['reason'], (card: string) => string>> = {
  revoked: card => `Your ${card} has been revoked.`,
  'no-witness': card => `Your ${card} cannot prove that it has not been revoked.`,
  outdated: card => `No server could say whether your ${card} has been revoked.`,
}

/** Groups the attributes of a candidate by instance. */
function candidateView(schemes: Schemes, { attributes }: Candidate): CandidateView {
  const firstOfEach = attributes.filter(
    ({ credential }, i) => attributes.findIndex(other => other.credential === credential) === i,
  )
  return {
    cards: firstOfEach.map(first => ({
      name: cardName(schemes, first.id),
      issuer: issuerName(schemes, first.id),
      attributes: attributes
        .filter(({ credential }) => credential === first.credential)
        .map(({ id, value }) => ({ name: attributeName(schemes, id), value })),
    })),
  }
}

function cardsOf(schemes: Schemes, ids: readonly AttributeRequestId[]): string {
  return [...new Set(ids.map(id => cardName(schemes, id)))].join(' and ')
}

/** The final screen of a session with `host`.
 *  @param done previous results; they remain if this session has no result
 *  @param couldAnswer true if the last question could be answered */
export function endState(
  host: string,
  outcome: SessionOutcome,
  done: DoneView,
  couldAnswer: boolean,
): PhoneState {
  const returnUrl = outcome.clientReturnUrl
  if (outcome.status === 'success') return { screen: 'done', host, returnUrl, ...done }
  const hasDone = (outcome.chainLink ?? 1) > 1
  if (outcome.status === 'cancelled') return { screen: 'refused', host, returnUrl, hasDone, couldAnswer }
  const reason = ENDS[outcome.remote?.type ?? ''] ?? REASONS[outcome.reason]
  return {
    screen: 'failed',
    host,
    returnUrl,
    hasDone,
    reason: reason ?? `The wallet says: ${outcome.message}.`,
    blockedSec: outcome.blockedSec ?? null,
  }
}

/** Texts for errors of a server. */
const ENDS: Readonly<Record<string, string>> = {
  SESSION_UNKNOWN: 'The session had already ended.',
  USER_NOT_REGISTERED: 'The account behind your PIN is gone: press PIN, and this phone can forget it.',
}

/** Texts for failures that a user of the demo can cause. */
const REASONS: Partial<Record<FailureReason, string>> = {
  'pairing-rejected': 'The web site did not confirm the code.',
  'keyshare-unreachable': 'The keyshare server does not answer.',
  'keyshare-error': 'The keyshare server could not go on.',
  'not-registered': 'This phone has no PIN yet: set one up first.',
  transport: 'The session server does not answer.',
  'server-error': 'The session server could not go on.',
  'not-valid': 'The session server did not accept the proof.',
}
