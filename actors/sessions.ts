/** What the other folders see of the running sessions: the gate, its wards, waiters and deadlines behind one small interface.
 *  @module */
import type { SessionEvent } from '../machines/session.ts'
import type {
  SessionColumns,
  SessionId,
  SessionRow,
  SessionStatus,
  StatusChange,
  StoredAnswer,
} from '../stores/session-store.ts'

export type { StatusChange }

/** Refused by the chart, or no such session; nothing changed. */
export type Refused = { readonly refused: SessionStatus | 'unknown' }

/** What a turn does: an event for the chart, and what its commit writes besides. */
export type Step = {
  readonly event: SessionEvent
  readonly columns?: Partial<
    Pick<SessionColumns, 'pairingCode' | 'clientAuthorization' | 'sentUpdates' | 'result'>
  >
  /** answer to the app, stored in the same commit and sent after it */
  readonly answer?: StoredAnswer
  /** body of a submission, stored with its claim */
  readonly claimedBody?: string
  /** the outcomes of the submission's effects so far; storing them renews the lease of the claim */
  readonly progress?: string
  /** the claim is worked on still: its lease begins anew, and nothing else changes */
  readonly renewsLease?: true
  /** a session that is opened in the same commit */
  readonly opens?: NewSession
}

/** Whether the chart takes that event now. */
export type Can = (event: SessionEvent) => boolean

/** Looks at the committed row, asks the chart what may happen (`can`), and says what to do; pure, may be called again after a lost race.
 *  null: nothing. A thrown error ends the turn, nothing changed, and is passed on. */
export type Decide = (row: SessionRow, can: Can) => Step | null

export type NewSession = {
  readonly columns: SessionColumns
  /** longest stay, ms, in `INITIALIZED` and in the statuses after it (D3) */
  readonly timeoutMs: number
  readonly connectedTimeoutMs: number
  readonly retentionMs: number
  readonly hasCallback: boolean
  /** a valid submission leads to the next session of a chain */
  readonly hasNextSession: boolean
  /** a valid submission is answered with signatures */
  readonly issues: boolean
}

export interface Sessions {
  /** Whether another session can be stored now, for what is to be known before.
   *  @throws {Unavailable} past the bound of stored sessions */
  requireRoom(): Promise<void>
  /** @throws {Unavailable} as `requireRoom`, and past the bound of callbacks that are owed */
  open(session: NewSession): Promise<SessionRow>
  /** The row after whatever time has caused; null: unknown or forgotten. */
  read(id: SessionId): Promise<SessionRow | null>
  /** Whether the chart takes that event in the state of this row, for what is to be prepared before a turn. */
  can(row: SessionRow, event: SessionEvent): boolean
  findByRequestorToken(token: string): Promise<SessionRow | null>
  findByClientToken(token: string): Promise<SessionRow | null>
  /** The session as this node knows it, null: it does not. Another node may have changed it since: for a call whose turn decides by what is stored. */
  knownByClientToken(token: string): SessionRow | null
  /** One turn of the session. @returns the row as committed (or as it was, when nothing was to be done) */
  turn(id: SessionId, decide: Decide): Promise<{ readonly row: SessionRow } | Refused>
  /** One call of the wallet app: replayed if it is the last handled one again, waited for if it is being handled, else a turn.
   *  `hash` covers path, body, version headers and authorization.
   *  @throws {Unavailable} when the outcome is not there in time; the claim goes on */
  call(id: SessionId, hash: string, decide: Decide): Promise<{ readonly answer: StoredAnswer } | Refused>
  /** Changes of status from now on, committed on any node, in order; a change of another node may be lost.
   *  @param seen is shown every row of the session that this node reads or commits, null: it is forgotten; after changes may have been lost the row is read
   *  @returns stop */
  watch(
    id: SessionId,
    changed: (change: StatusChange) => void,
    seen?: (row: SessionRow | null) => void,
  ): () => void
  /** Room for a body that is about to be read; a claim counts its own from then on. @returns gives it back
   *  @throws {NoRoomForBody} nothing of it should be read */
  reserveBody(bytes: number): () => void
  /** Lets the work on claims of this process end. Before `close`, after which nothing of it could be committed.
   *  @param limit resolves when nobody waits any longer: what is left is void, and its apps may submit again */
  finishClaims(limit: Promise<unknown>): Promise<void>
  close(): Promise<void>
}
