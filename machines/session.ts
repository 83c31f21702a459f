/** Session statechart (spec 3). @module */

/** Every event; the gate adds `at` (Unix ms), and to `app.submitted` the number of its claim. */
export type SessionEvent =
  /** the frontend chose its options */
  | { readonly type: 'frontend.chose'; readonly method: 'none' | 'pin' }
  /** first GET of the app, handled without error */
  | { readonly type: 'app.connected'; readonly protocolVersion: string }
  /** GET /request, handled without error: no change of status, but its answer is stored */
  | { readonly type: 'app.fetched' }
  | { readonly type: 'frontend.paired' }
  | { readonly type: 'app.submitted' }
  /** an error while handling a call of the app that its status allows (D16) */
  | { readonly type: 'app.failed' }
  /** DELETE by anyone */
  | { readonly type: 'cancelled' }
  /** the submission was checked, whatever its proof status */
  | { readonly type: 'server.checked'; readonly claim: number }
  /** a remote error while handling the submission (D16) */
  | { readonly type: 'server.failed'; readonly claim: number }
  | { readonly type: 'claim.voided'; readonly claim: number }
