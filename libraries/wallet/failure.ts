/** The reasons why a session fails. Messages are written here, never copied from a server, and contain no secret. @module */

export type FailureReason =
  /** not a session pointer */
  | 'invalid-pointer'
  /** plain HTTP without developer mode */
  | 'insecure'
  /** the server is in developer mode, and this wallet is not */
  | 'developer-mode'
  /** the frontend did not confirm the code */
  | 'pairing-rejected'
  /** the server chose a version that was not offered */
  | 'protocol-version'
  /** a type of session that this wallet does not support */
  | 'unsupported'
  /** the request names another host than the pointer */
  | 'host-mismatch'
  /** no response, because of a connection or a timeout */
  | 'transport'
  /** the server responded with an error, see `remote` */
  | 'server-error'
  /** a response that does not follow the protocol, or is too large */
  | 'malformed-answer'
  /** the server offers a credential that does not match its type, or whose key may not sign it */
  | 'bad-offer'
  /** the issued credentials differ from the offer; none is kept */
  | 'wrong-credential'
  /** no valid timestamp for a signature; nothing was sent to the session server */
  | 'no-timestamp'
  /** the chain has more sessions than this wallet follows */
  | 'chain-too-long'
  /** `choices` with an index without candidate */
  | 'invalid-choice'
  /** the server did not accept the proofs, see `proofStatus` */
  | 'not-valid'
  /** no response of a keyshare server, because of a connection or a timeout */
  | 'keyshare-unreachable'
  /** a keyshare server responded with an error, see `remote` */
  | 'keyshare-error'
  /** the wallet has no account at the keyshare server of a scheme */
  | 'not-registered'
  /** the wallet already has such an account */
  | 'already-registered'
  /** a new PIN that is too short */
  | 'short-pin'
  /** the PIN was wrong, see `triesLeft` */
  | 'wrong-pin'
  /** the keyshare server accepts no PIN now, see `blockedSec` */
  | 'pin-blocked'
  /** the PIN of the account may differ from that of the other accounts */
  | 'pin-out-of-sync'

export type FailureFacts = {
  /** HTTP status and error type of the response */
  readonly remote?: { readonly status: number; readonly type: string }
  readonly proofStatus?: string
  readonly triesLeft?: number
  readonly blockedSec?: number
}

export class SessionError extends Error {
  override readonly name = 'SessionError'
  readonly reason: FailureReason
  readonly facts: FailureFacts
  constructor(reason: FailureReason, message: string, facts: FailureFacts = {}) {
    super(message)
    this.reason = reason
    this.facts = facts
  }
}

/** The user aborted. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

/** The outcome of an operation that the user started. */
export type ActionOutcome =
  | { readonly status: 'success' }
  | { readonly status: 'cancelled' }
  /** `message` is for users, in English and without secrets */
  | ({ readonly status: 'failed'; readonly reason: FailureReason; readonly message: string } & FailureFacts)

/** @throws any error other than a `SessionError` or `Cancelled` */
export async function endingOf(run: () => Promise<void>): Promise<ActionOutcome> {
  try {
    await run()
    return { status: 'success' }
  } catch (error) {
    if (error instanceof CancelledError) return { status: 'cancelled' }
    if (!(error instanceof SessionError)) throw error
    const { reason, message, facts } = error
    return { status: 'failed', reason, message, ...facts }
  }
}
