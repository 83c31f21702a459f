/** What is remembered of sessions. A row changes only by `commit` of the store. @module */
import type { SessionStatus } from '../machines/session.ts'
import type { StoredSnapshot } from '../machines/session-snapshot.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import type { SentUpdates } from '../protocol/sent-updates.ts'
import type { StoredValue } from '../protocol/stored-value.ts'
import type { Outcome } from '../sessions/result.ts'
import type { StoredAnswer } from '../sessions/stored-answer.ts'

export type { SessionStatus, StoredAnswer }

/** Internal name of a session: the hash of its client token, so that it may stand in a log. */
export type SessionId = string

/** What stands beside the snapshot: large or secret. Fixed at creation unless it says otherwise. */
export type SessionColumns = {
  readonly clientToken: string
  readonly requestorToken: string
  readonly frontendToken: string
  /** name of the requestor; empty without authentication */
  readonly requestor: string
  readonly profile: ProfileName
  /** as it was accepted, neutral to the profile */
  readonly request: StoredValue<ExtendedRequest>
  /** Base64 of the challenge of this session */
  readonly nonce: string
  /** four digits while pairing is on; changes with the frontend options */
  readonly pairingCode: string | null
  /** `Authorization` value of the app's first GET, null: none was sent, so that nothing binds the app (D15, D27); changes at the first GET */
  readonly clientAuthorization: string | null
  /** revocation updates that the app's request carries; null: none; changes at the first GET */
  readonly sentUpdates: StoredValue<SentUpdates> | null
  /** changes with the final status */
  readonly result: StoredValue<Outcome> | null
}

/** A submission that is being handled (law 2). `number` is the version of the commit that began it. */
export type Claim = {
  readonly number: number
  readonly callHash: string
  readonly bootId: string
  readonly leaseUntil: number
}

/** The last handled call of the app; it counts only while the row still has this version. */
export type AnsweredCall = {
  readonly callHash: string
  readonly version: number
  readonly answeredAt: number
  readonly answer: StoredAnswer
}

export type SessionRow = SessionColumns & {
  readonly id: SessionId
  /** counts commits, from 1 */
  readonly version: number
  /** number of the chart that wrote the snapshot; null: closed without its chart */
  readonly chart: number | null
  readonly status: SessionStatus
  /** Unix ms of the next event that time alone causes, unless a claim stands */
  readonly deadlineAt: number
  /** status facts only, no secret */
  readonly snapshot: StoredSnapshot | null
  readonly claim: Claim | null
  /** body of the submission that is being handled; goes with its claim */
  readonly claimedBody: string | null
  /** what its handling has come to so far (actors/effects/progress.ts), JSON, secret; goes with its claim */
  readonly progress: string | null
  readonly answered: AnsweredCall | null
}

/** A session as a list shows it: nothing large is read, and nothing secret. */
export type ListedSession = Pick<
  SessionRow,
  'id' | 'version' | 'chart' | 'status' | 'deadlineAt' | 'claim' | 'requestor' | 'snapshot'
>

export type StatusChange = {
  readonly id: SessionId
  readonly version: number
  readonly oldStatus: SessionStatus
  readonly newStatus: SessionStatus
}

export interface SessionStore {
  /** As it is stored at some time after the call. */
  load(id: SessionId): Promise<SessionRow | null>
  /** The row as this process last read or committed it, which other nodes may have changed since: for a step whose commit compares the version.
   *  Left out: `load` costs as little. null: it is not known */
  recent?(id: SessionId): SessionRow | null
  /** @returns the id of the session with that requestor token, or null */
  findByRequestorToken(token: string): Promise<SessionId | null>
  /** ids whose deadline, or whose claim's lease, is at most `at`, the oldest first; rows of a chart newer than `chart` are left out */
  due(at: number, chart: number, limit: number): Promise<readonly SessionId[]>
  /** Unix ms of the first of those deadlines after `at`, or null */
  nextDueAfter(at: number, chart: number): Promise<number | null>
  /** Forgets stored answers that are older; no version changes. */
  dropAnswers(answeredBefore: number): Promise<void>
  /** Sessions that are stored, finished ones included. */
  count(): Promise<number>
  /** Those that were stored last, the last one first. */
  newest(limit: number): Promise<readonly ListedSession[]>
}
