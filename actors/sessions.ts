/** The interface of the running sessions for the other folders: gate, wards, waiters and deadlines are behind it. @module */
import type { SessionEvent } from '../machines/session-events.ts'
import type {
  SessionColumns,
  SessionId,
  SessionRow,
  SessionStatus,
  StatusChange,
  StoredAnswer,
} from '../stores/session-store.ts'

export type { StatusChange }

/** Refused by the chart, or the session is unknown. Nothing changed. */
export type RefusedStep = { readonly refused: SessionStatus | 'unknown' }

/** One turn: an event for the chart, and further data for its commit. */
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
  /** renews the lease of the claim and changes nothing else */
  readonly renewsLease?: true
  /** a session that the same commit opens */
  readonly opens?: NewSession
}

/** True if the chart accepts the event now. */
export type AcceptsSessionEvent = (event: SessionEvent) => boolean

/** Decides on the committed row, with `can` to ask the chart; null: do nothing. Pure, and may be called again after a lost race. A thrown error ends the turn
 *  without a change, and is passed on. */
export type Decide = (row: SessionRow, can: AcceptsSessionEvent) => Step | null

/** The columns of a session that is not stored yet, with its tokens, which are not stored. */
export type NewColumns = SessionColumns & {
  readonly clientToken: string
  readonly requestorToken: string
  /** empty for a session that follows another one: its frontend has the token already */
  readonly frontendToken: string
}

export type NewSession = {
  readonly columns: NewColumns
  /** longest stay in `INITIALIZED` (spec/decisions#d3) */
  readonly timeoutMs: number
  /** longest stay in `PAIRING`, and again in `CONNECTED` */
  readonly connectedTimeoutMs: number
  readonly retentionMs: number
  readonly hasCallback: boolean
  /** a valid submission leads to the next session of a chain */
  readonly hasNextSession: boolean
  /** a valid submission is answered with signatures */
  readonly issues: boolean
}

export interface Sessions {
  /** Checks that another session can be stored now, for callers that must know it beforehand.
   *  @throws {UnavailableError} beyond the bound of stored sessions */
  requireRoom(): Promise<void>
  /** @throws {UnavailableError} as `requireRoom`, and beyond the bound of owed callbacks */
  open(session: NewSession): Promise<SessionRow>
  /** The row after every event that is due; null: unknown or forgotten. */
  read(id: SessionId): Promise<SessionRow | null>
  /** True if the chart accepts the event in the state of this row, for callers that prepare a turn. */
  can(row: SessionRow, event: SessionEvent): boolean
  findByRequestorToken(token: string): Promise<SessionRow | null>
  findByClientToken(token: string): Promise<SessionRow | null>
  /** The session as this node knows it; null: unknown here. Another node may have changed it since, so the turn of the call must decide on the stored row. */
  knownByClientToken(token: string): SessionRow | null
  /** One turn of the session. @returns the row as committed (or as before, if there was nothing to do) */
  turn(id: SessionId, decide: Decide): Promise<{ readonly row: SessionRow } | RefusedStep>
  /** One call of the wallet app. If it equals the last call, it gets the stored answer, or waits while that call is being handled. Any other call is a turn.
   *  @param hash of path, body, version headers and authorization
   *  @throws {UnavailableError} if there is no outcome in time; the claim continues */
  call(id: SessionId, hash: string, decide: Decide): Promise<{ readonly answer: StoredAnswer } | RefusedStep>
  /** Status changes from now on, committed on any node, in order. A change of another node may be lost.
   *  @param notifyRow receives every row of the session that this node reads or commits; null: forgotten. If changes may have been lost, the row is read again.
   *  @returns a function that ends the subscription */
  follow(
    id: SessionId,
    notify: (change: StatusChange) => void,
    notifyRow?: (row: SessionRow | null) => void,
  ): () => void
  /** Reserves room for a body that is about to be read. A claim counts its own body. @returns a function that releases the room
   *  @throws {NoRoomForBodyError} the body must not be read */
  reserveBody(bytes: number): () => void
  /** Waits for the work on claims of this process. Must be called before `close`, because nothing can be committed after it.
   *  @param limit resolves at the end of the waiting time: unfinished work is void, and its apps may submit again */
  finishClaims(limit: Promise<unknown>): Promise<void>
  close(): Promise<void>
}
