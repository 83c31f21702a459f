/** What the phone puts on its screen, in words: the cards, the question of a session, and how it ended. @module */
import type { AttributeRequestId } from '../protocol/ids.ts'
import type { Schemes } from '../schemes/types.ts'
import type { Candidate, ItemCandidates } from '../wallet/candidates.ts'
import type { FailureReason } from '../wallet/failure.ts'
import type { ConsentQuestion, SessionOutcome } from '../wallet/session.ts'
import type { CredentialView } from '../wallet/wallet.ts'
import { attributeName, cardName, issuerName } from './names.ts'

export type AttributeView = { readonly name: string; readonly value: string | null }
export type CardView = {
  readonly name: string
  readonly issuer: string
  readonly attributes: readonly AttributeView[]
}
/** One way to answer an item; no cards: share nothing. */
export type CandidateView = { readonly cards: readonly CardView[] }
export type ItemView = {
  readonly candidates: readonly CandidateView[]
  /** without candidates: the cards that the wallet lacks, each text one way */
  readonly missing: readonly string[]
}

export type PhoneState =
  | { readonly screen: 'connecting' | 'sending'; readonly host: string }
  | { readonly screen: 'pairing'; readonly host: string; readonly code: string }
  | {
      readonly screen: 'consent'
      readonly host: string
      readonly items: readonly ItemView[]
      readonly canAnswer: boolean
    }
  | { readonly screen: 'done'; readonly host: string; readonly shared: readonly AttributeView[] }
  | { readonly screen: 'refused'; readonly host: string }
  | { readonly screen: 'failed'; readonly host: string; readonly reason: string }

export function cardView(schemes: Schemes, { type, attributes }: CredentialView): CardView {
  return {
    name: cardName(schemes, type),
    issuer: issuerName(schemes, type),
    attributes: attributes.map(({ id, value }) => ({ name: attributeName(schemes, id), value })),
  }
}

export function itemViews(schemes: Schemes, { candidates }: ConsentQuestion): ItemView[] {
  return candidates.items.map((item: ItemCandidates) => ({
    candidates: item.candidates.map(candidate => candidateView(schemes, candidate)),
    missing: item.missing.map(option => cardsOf(schemes, option)),
  }))
}

/** The attributes of a candidate by the instance that they come from. */
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

/** How a session ended, on a phone that was shown `host`. */
export function endState(
  host: string,
  outcome: SessionOutcome,
  shared: readonly AttributeView[],
): PhoneState {
  if (outcome.status === 'success') return { screen: 'done', host, shared }
  if (outcome.status === 'cancelled') return { screen: 'refused', host }
  const hasEnded = outcome.remote?.type === 'SESSION_UNKNOWN'
  const reason = hasEnded ? 'The session had already ended.' : REASONS[outcome.reason]
  return { screen: 'failed', host, reason: reason ?? `The wallet says: ${outcome.message}.` }
}

/** Words for the failures that somebody in front of the demo can cause. */
const REASONS: Partial<Record<FailureReason, string>> = {
  'pairing-rejected': 'The web shop did not confirm the code.',
  transport: 'The session server does not answer.',
  'server-error': 'The session server could not go on.',
  'not-valid': 'The session server did not accept the proof.',
}
