/** The events of a session, as they are sent and as they reach its chart (machines/session.ts). @module */
import type { TimerEvent } from './timers.ts'

/** Every event. The gate adds `at` (Unix ms), and the number of the claim to `app.submitted`. */
export type SessionEvent =
  /** the frontend chose its options */
  | { readonly type: 'frontend.chose'; readonly method: 'none' | 'pin' }
  /** first GET of the app, handled without error */
  | { readonly type: 'app.connected'; readonly protocolVersion: string }
  /** GET /request, handled without error: the status stays, but the answer is stored */
  | { readonly type: 'app.fetched' }
  /** the same by an unbound app after pairing (spec/decisions#d27): accepted once */
  | { readonly type: 'app.fetchedOnce' }
  | { readonly type: 'frontend.paired' }
  | { readonly type: 'app.submitted' }
  /** an error while handling a call of the app that the status allows (spec/decisions#d16) */
  | { readonly type: 'app.failed' }
  /** DELETE by any party */
  | { readonly type: 'cancelled' }
  /** the submission was checked; `isValid`: its proof status is `VALID`, so the next step may follow */
  | { readonly type: 'server.checked'; readonly claim: number; readonly isValid: boolean }
  /** the next session is prepared, or the requestor has none */
  | { readonly type: 'server.askedNext'; readonly claim: number }
  /** the credentials are signed */
  | { readonly type: 'server.signed'; readonly claim: number }
  /** a remote error while handling the submission (spec/decisions#d16) */
  | { readonly type: 'server.failed'; readonly claim: number }
  | { readonly type: 'claim.voided'; readonly claim: number }
  /** the node that works on the claim renews its lease */
  | { readonly type: 'claim.renewed'; readonly claim: number }

/** The event as the chart receives it. */
export type StampedEvent =
  | ({ readonly at: number } & (
      | Exclude<SessionEvent, { readonly type: 'app.submitted' }>
      | { readonly type: 'app.submitted'; readonly claim: number }
    ))
  | TimerEvent
