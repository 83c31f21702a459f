/** The session result (spec/interface#2.8, spec/session-server#13.2): the value that is stored when a session ends, and the body that a requestor reads.
 *  @module */
import type { RemoteErrorObject } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { SessionType } from '../protocol/request.ts'
import { StoredValue } from '../protocol/stored-value.ts'
import type { DisclosedAttribute } from './disclosed.ts'

export type ProofStatus =
  | 'VALID'
  | 'INVALID'
  | 'INVALID_TIMESTAMP'
  | 'UNMATCHED_REQUEST'
  | 'MISSING_ATTRIBUTES'
  | 'EXPIRED'

/** Retention of a finished session, unless a setting overrides it (spec/interface#3, spec/decisions#d4). */
export const RESULT_KEPT_MS = 5 * 60_000

/** The outcome of a session: a judgement of the submission, an error that cancelled the session, or neither. Secret. */
export type SessionOutcome = {
  readonly proofStatus?: ProofStatus
  readonly disclosed?: readonly (readonly DisclosedAttribute[] | null)[]
  /** the signed message of a signature session as the app sent it, except that it names the timestamp server that was asked; plain JSON */
  readonly signature?: object
  /** set if another session followed; a reader of this result finds that session by it */
  readonly nextSession?: NextSessionFacts
  readonly error?: RemoteErrorObject
}

/** The next session of a chain. Both tokens are secret. */
export type NextSessionFacts = {
  readonly requestorToken: string
  readonly clientToken: string
  readonly type: SessionType
  /** as in its request; empty: the host of the server's URL */
  readonly host: string
}

/** The outcome of a check. */
export type Judgement = SessionOutcome & { readonly proofStatus: ProofStatus }

/** The column `result`. */
export function storeOutcome(outcome: SessionOutcome): StoredValue<SessionOutcome> {
  return restoreOutcome(JSON.stringify(outcome))
}

/** @param text written by `storeOutcome` */
export function restoreOutcome(text: string): StoredValue<SessionOutcome> {
  return new StoredValue(text, json => json as SessionOutcome) // written by this program
}

export type ResultFacts = {
  readonly requestorToken: string
  readonly status: string
  readonly type: SessionType
  /** null: no outcome yet, or none at all */
  readonly outcome: SessionOutcome | null
  readonly profile: Pick<Profile, 'resultError' | 'legacyResult'>
  /** true: the session request has the form before conjunctions */
  readonly isLegacy: boolean
}

const FINAL: readonly string[] = ['DONE', 'CANCELLED', 'TIMEOUT']

/** Hides a stored outcome until the status is final. */
export function outcomeToShow(status: string, outcome: SessionOutcome | null): SessionOutcome | null {
  return FINAL.includes(status) ? outcome : null
}

/** The body of `GET /session/{requestorToken}/result`; members without a value are left out. */
export function sessionResult(facts: ResultFacts): object {
  return resultToPost({ ...facts, outcome: outcomeToShow(facts.status, facts.outcome) })
}

/** The result that is posted to get the next session of a chain: it has the outcome before the session has ended (spec/decisions#chain). */
export function resultToPost(facts: ResultFacts): object {
  const { proofStatus, disclosed = [], signature, error, nextSession } = facts.outcome ?? {}
  const isFlat = facts.isLegacy && facts.profile.legacyResult === 'legacy'
  const listed = isFlat ? firstOfEach(disclosed) : disclosed
  return {
    token: facts.requestorToken,
    status: facts.status,
    type: facts.type,
    proofStatus,
    disclosed: listed.length === 0 ? undefined : listed,
    signature,
    error: error && (facts.profile.resultError === 'string' ? errorText(error) : error),
    nextSession: isFlat ? undefined : nextSession?.requestorToken,
  }
}

/** Before conjunctions every item was one attribute (spec/session-server#q5). */
function firstOfEach(disclosed: readonly (readonly DisclosedAttribute[] | null)[]): DisclosedAttribute[] {
  return disclosed.flatMap(attributes => attributes?.slice(0, 1) ?? [])
}

/** `TYPE: message`, or the type alone (spec/decisions#d19). */
function errorText({ error, message }: RemoteErrorObject): string {
  return message === undefined ? error : `${error}: ${message}`
}
