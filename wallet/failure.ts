/** Why a session did not succeed. Messages are ours, never a server's text, and hold no secret. @module */

export type FailureReason =
  /** not a session pointer */
  | 'invalid-pointer'
  /** plain HTTP without developer mode */
  | 'insecure'
  /** a server without production mode, and no developer mode here */
  | 'developer-mode'
  /** the frontend did not confirm the code */
  | 'pairing-rejected'
  /** the version chosen by the server was not offered */
  | 'protocol-version'
  /** a kind of session that this wallet cannot answer */
  | 'unsupported'
  /** the request names another host than the pointer */
  | 'host-mismatch'
  /** no answer: connection or time */
  | 'transport'
  /** the server answered with an error, see `remote` */
  | 'server-error'
  /** an answer that is not of the protocol, or too large */
  | 'malformed-answer'
  /** the server offers a credential that does not fit its type, or with a key that may not sign it */
  | 'bad-offer'
  /** what was issued is not what was offered; nothing of it is kept */
  | 'wrong-credential'
  /** no timestamp for a signature, or none that is right; nothing was sent to the session server */
  | 'no-timestamp'
  /** a session led to another more often than this wallet follows */
  | 'chain-too-long'
  /** `choices` that name no candidate */
  | 'invalid-choice'
  /** the server did not accept the proofs, see `proofStatus` */
  | 'not-valid'
  /** no answer of a keyshare server: connection or time */
  | 'keyshare-unreachable'
  /** a keyshare server answered with an error, see `remote` */
  | 'keyshare-error'
  /** the wallet has no account at the keyshare server of a scheme */
  | 'not-registered'
  /** it has one already */
  | 'already-registered'
  /** a PIN that is too short to be set */
  | 'short-pin'
  /** the PIN was wrong, see `triesLeft` */
  | 'wrong-pin'
  /** the keyshare server takes no PIN now, see `blockedSec` */
  | 'pin-blocked'
  /** the PIN of the account may not be the one of the others */
  | 'pin-out-of-sync'

export type FailureFacts = {
  /** HTTP status and error type that the server gave */
  readonly remote?: { readonly status: number; readonly type: string }
  readonly proofStatus?: string
  readonly triesLeft?: number
  readonly blockedSec?: number
}

export class SessionFailure extends Error {
  override readonly name = 'SessionFailure'
  readonly reason: FailureReason
  readonly facts: FailureFacts
  constructor(reason: FailureReason, message: string, facts: FailureFacts = {}) {
    super(message)
    this.reason = reason
    this.facts = facts
  }
}

/** The user walked away. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** How something ended that the user asked for. */
export type Ending =
  | { readonly status: 'success' }
  | { readonly status: 'cancelled' }
  /** `message` is for people, English and without secrets */
  | ({ readonly status: 'failed'; readonly reason: FailureReason; readonly message: string } & FailureFacts)

/** @throws what is neither a failure nor the user's wish */
export async function endingOf(run: () => Promise<void>): Promise<Ending> {
  try {
    await run()
    return { status: 'success' }
  } catch (error) {
    if (error instanceof Cancelled) return { status: 'cancelled' }
    if (!(error instanceof SessionFailure)) throw error
    const { reason, message, facts } = error
    return { status: 'failed', reason, message, ...facts }
  }
}
