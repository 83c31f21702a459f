/** The wallet app's side of a session, over HTTP (spec 2.9, 4.2, 4.3, 5.3, 9). What a server says is checked, bounded and never trusted.
 *  @module */
import type { Disclosing, RequestCandidates } from './candidates.ts'
import type { Choices, Wallet, WalletClock } from './wallet.ts'

/** What the user is asked. */
export type ConsentQuestion = {
  /** host (and port) of the server that asks; the only name of the requestor that is known */
  readonly requestorHost: string
  readonly request: Disclosing & { readonly labels: unknown; readonly clientReturnUrl: string }
  readonly candidates: RequestCandidates
}

export type Consent =
  | { readonly answer: 'disclose'; readonly choices: Choices }
  /** also the only answer to a request that is not satisfiable: the server must not learn which of the two it was (spec 2.8) */
  | { readonly answer: 'refuse' }

export type SessionHandlers = {
  /** Asked once, also when the request cannot be satisfied (then only to show what is missing). A throw ends the session. */
  readonly consent: (question: ConsentQuestion) => Promise<Consent>
  /** Show this code; the user types it where the QR code is (spec 5.3). Called at most once, before consent. */
  readonly pairing?: (code: string) => void
  /** The user walks away: the session is cancelled wherever it is, unless the answer is on its way. */
  readonly signal?: AbortSignal
}

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
  /** a session type that this wallet does not know */
  | 'unsupported'
  /** the request names another host than the pointer */
  | 'host-mismatch'
  /** no answer: connection or time */
  | 'transport'
  /** the server answered with an error, see `remote` */
  | 'server-error'
  /** an answer that is not of the protocol */
  | 'malformed-answer'
  /** `choices` that name no candidate */
  | 'invalid-choice'
  /** the server did not accept the proofs, see `proofStatus` */
  | 'not-valid'

export type SessionOutcome =
  | { readonly status: 'success'; readonly proofStatus: 'VALID'; readonly clientReturnUrl: string | null }
  | {
      readonly status: 'cancelled'
      /** what the user could not answer; empty: refused */
      readonly isSatisfiable: boolean
      readonly clientReturnUrl: string | null
    }
  | {
      readonly status: 'failed'
      readonly reason: FailureReason
      /** English, without secrets */
      readonly message: string
      readonly remote?: { readonly status: number; readonly type: string }
      readonly proofStatus?: string
      readonly clientReturnUrl: string | null
    }

export type SessionDeps = {
  readonly wallet: Wallet
  readonly fetch: typeof fetch
  readonly clock: WalletClock
  readonly randomBytes: (count: number) => Uint8Array
}

/** Answer one session, from its pointer to its end. Resolves whatever the server does; rejects only with what a handler threw, after the
 *  session was cancelled. Every end but success is told to the server (DELETE).
 *  @param pointer the text of a QR code or link: session pointer JSON of either profile, or one of the link forms around it */
export declare function answerSession(
  deps: SessionDeps,
  pointer: string,
  handlers: SessionHandlers,
): Promise<SessionOutcome>
