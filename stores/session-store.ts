/** The sessions of a store. Only `commit` of the store changes a row. @module */
import type { SessionStatus } from '../machines/session.ts'
import type { StoredSnapshot } from '../machines/session-snapshot.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import type { SentUpdates } from '../protocol/sent-updates.ts'
import type { StoredValue } from '../protocol/stored-value.ts'
import type { SessionOutcome } from '../sessions/result.ts'
import type { StoredAnswer } from '../sessions/stored-answer.ts'

export type { SessionStatus, StoredAnswer }

/** Internal name of a session: the hash of its client token, which may appear in a log. */
export type SessionId = string

/** Columns beside the snapshot, which are large or secret. They are fixed at creation unless stated otherwise. */
export type SessionColumns = {
  /** `hashOfToken`, as of every token of a row: a reader of the store cannot call the endpoints with a hash */
  readonly requestorTokenHash: string
  /** the sessions of a chain have the same one */
  readonly frontendTokenHash: string
  /** the requestor token, where the server itself sends it: to `callbackUrl` and `nextSession.url` (spec/decisions#tokens); null: it sends it nowhere */
  readonly sentToken: string | null
  /** name of the requestor; empty without authentication */
  readonly requestor: string
  readonly profile: ProfileName
  /** the accepted request, independent of the profile */
  readonly request: StoredValue<ExtendedRequest>
  /** the challenge of this session, Base64 */
  readonly nonce: string
  /** four digits if pairing is enabled; changes with the frontend options */
  readonly pairingCode: string | null
  /** `Authorization` header of the app's first GET; null: it sent none, so no app is bound (spec/decisions#d15, #d27); changes at the first GET */
  readonly clientAuthorization: string | null
  /** revocation updates in the app's request; null: none; changes at the first GET */
  readonly sentUpdates: StoredValue<SentUpdates> | null
  /** changes with the final status */
  readonly result: StoredValue<SessionOutcome> | null
}

/** A submission that is being handled (spec/laws#2). `number` is the version of the commit that started it. */
export type Claim = {
  readonly number: number
  readonly callHash: string
  readonly bootId: string
  readonly leaseUntil: number
}

/** The last call of the app that was answered; valid only while the row has this version. */
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
  /** number of the chart version that wrote the snapshot; null: closed without its chart */
  readonly chart: number | null
  readonly status: SessionStatus
  /** Unix ms of the next event by time, unless there is a claim */
  readonly deadlineAt: number
  /** state of the chart, without secrets */
  readonly snapshot: StoredSnapshot | null
  readonly claim: Claim | null
  /** body of the submission that is being handled; deleted with the claim */
  readonly claimedBody: string | null
  /** intermediate results of its handling (actors/effects/progress.ts), JSON, secret; deleted with the claim */
  readonly progress: string | null
  readonly answered: AnsweredCall | null
}

/** The requestor token, which the server sends.
 *  @throws {TypeError} for a session without `callbackUrl` and `nextSession` */
export function sentTokenOf({ sentToken }: Pick<SessionRow, 'sentToken'>): string {
  if (sentToken === null) throw new TypeError('sentToken: expected a token to send, got none')
  return sentToken
}

/** A session in a list: without large values and without secrets. */
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
  /** Reads the row as it is stored at some time after the call. */
  load(id: SessionId): Promise<SessionRow | null>
  /** The row as this process last read or committed it; other nodes may have changed it since. For a step whose commit compares the version. Left
   *  out: `load` is as cheap. null: not in memory */
  recent?(id: SessionId): SessionRow | null
  /** @returns the id of the session with this requestor token, or null */
  findByRequestorToken(token: string): Promise<SessionId | null>
  /** ids whose deadline, or the lease of whose claim, is at `at` or before, the oldest first; rows of a chart newer than `chart` are left out */
  due(at: number, chart: number, limit: number): Promise<readonly SessionId[]>
  /** Unix ms of the first such time after `at`, or null */
  nextDueAfter(at: number, chart: number): Promise<number | null>
  /** Drops stored answers that are older; versions do not change. */
  dropAnswers(answeredBefore: number): Promise<void>
  /** Number of stored sessions, including finished ones. */
  count(): Promise<number>
  /** The sessions that were stored last, the newest first. */
  newest(limit: number): Promise<readonly ListedSession[]>
}
