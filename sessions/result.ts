/** The session result (spec 2.8, `spec/session-server.md` 13.2): what is stored when a session ends, and what a requestor reads. @module */
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

/** The time for which a finished session is kept, unless a setting says otherwise (spec 3, D4). */
export const RESULT_KEPT_MS = 5 * 60_000

/** The outcome of a session: a judgement of what the app submitted, or an error that cancelled it, or nothing. Secret. */
export type Outcome = {
  readonly proofStatus?: ProofStatus
  readonly disclosed?: readonly (readonly DisclosedAttribute[] | null)[]
  /** what was signed in a signature session: the signed message as the app sent it, but for the timestamp server that was asked; plain JSON */
  readonly signature?: object
  /** what readers of a session that was followed by another need to find that one */
  readonly nextSession?: NextSessionFacts
  readonly error?: RemoteErrorObject
}

/** The next session of a chain. Both tokens are secret. */
export type NextSessionFacts = {
  readonly requestorToken: string
  readonly clientToken: string
  readonly type: SessionType
  /** as in its request; empty: that of the server's URL */
  readonly host: string
}

/** What a check comes to. */
export type Judgement = Outcome & { readonly proofStatus: ProofStatus }

/** The column `result`. */
export function storeOutcome(outcome: Outcome): StoredValue<Outcome> {
  return restoreOutcome(JSON.stringify(outcome))
}

/** @param text what `storeOutcome` wrote */
export function restoreOutcome(text: string): StoredValue<Outcome> {
  return new StoredValue(text, json => json as Outcome) // this program's own writing
}

export type ResultFacts = {
  readonly requestorToken: string
  readonly status: string
  readonly type: SessionType
  /** null: none yet, or none at all */
  readonly outcome: Outcome | null
  readonly profile: Pick<Profile, 'resultError' | 'legacyResult'>
  /** the session request has the form before conjunctions */
  readonly isLegacy: boolean
}

const FINAL: readonly string[] = ['DONE', 'CANCELLED', 'TIMEOUT']

/** Before the final status nothing of an outcome shows, whatever is stored already. */
export function outcomeToShow(status: string, outcome: Outcome | null): Outcome | null {
  return FINAL.includes(status) ? outcome : null
}

/** The body of `GET /session/{requestorToken}/result`; what is not there yet is left out. */
export function sessionResult(facts: ResultFacts): object {
  return resultToPost({ ...facts, outcome: outcomeToShow(facts.status, facts.outcome) })
}

/** What a requestor is sent while it is asked for the next session of a chain: the outcome before the session has ended (`decisions.md`, chain). */
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

/** Before conjunctions every item was one attribute (Q5). */
function firstOfEach(disclosed: readonly (readonly DisclosedAttribute[] | null)[]): DisclosedAttribute[] {
  return disclosed.flatMap(attributes => attributes?.slice(0, 1) ?? [])
}

/** `TYPE: message`, or the type alone (D19). */
function errorText({ error, message }: RemoteErrorObject): string {
  return message === undefined ? error : `${error}: ${message}`
}
