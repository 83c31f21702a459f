/** The events of a keyshare login, as they are sent and as they reach its chart (machines/keyshare-login.ts). An event says what was checked already: the
 *  token, the signature of the device, the challenge. The PIN is compared after the event that reserves the attempt was committed. @module */

/** The two forms of the proof protocol: `v1` (unversioned and `/api/v1`) and `v2` (`/api/v2`). */
export type ProofVersion = 'v1' | 'v2'

/** Every event; the gate adds `at` (Unix ms), and to what reserves an attempt the number of the attempt. */
export type LoginEvent =
  /** verify_start, signed by the device */
  | { readonly type: 'app.startedLogin' }
  /** login, signed by the device: takes the challenge, and reserves an attempt if it names the right one */
  | { readonly type: 'app.answered'; readonly isRightChallenge: boolean }
  /** legacy login, change of PIN or registration of a device key: reserves an attempt.
   *  `isSignedByDevice`: with the key that is registered already */
  | { readonly type: 'app.sentPin'; readonly isSignedByDevice: boolean }
  /** an attempt of any kind, while the account is blocked */
  | { readonly type: 'app.triedWhileBlocked' }
  /** the PIN of a login is right */
  | { readonly type: 'server.acceptedPin'; readonly attempt: number }
  /** the PIN of a login is wrong; `triesLeft` as counted when its attempt was reserved */
  | { readonly type: 'server.refusedPin'; readonly attempt: number; readonly triesLeft: number }
  /** the old PIN is right: the record holds the new one, and another token id */
  | { readonly type: 'server.changedPin'; readonly attempt: number }
  /** the PIN is right: the record holds the device key */
  | { readonly type: 'server.registeredKey'; readonly attempt: number }
  /** getCommitments, with a valid token */
  | { readonly type: 'app.requestedCommitments'; readonly version: ProofVersion }
  /** getResponse or getResponseLinkable, with a valid token: takes the commitment */
  | { readonly type: 'app.requestedResponse'; readonly version: ProofVersion }
  /** the owner was warned that the account will be deleted then unless it is used (Unix ms) */
  | { readonly type: 'server.warned'; readonly deleteAt: number }
  /** the owner confirms an address, or logs in to the account page */
  | { readonly type: 'owner.visited' }
  /** the owner deletes the account: it is of no use from now on, and its row goes then (Unix ms) */
  | { readonly type: 'owner.disabled'; readonly deleteAt: number }
  | { readonly type: 'server.deleted' }

type ReservingEvent = Extract<LoginEvent, { readonly type: 'app.answered' | 'app.sentPin' }>

/** What reaches the chart. */
export type StampedLoginEvent = { readonly at: number } & (
  | Exclude<LoginEvent, ReservingEvent>
  | (ReservingEvent & { readonly attempt: number })
  /** the chart's own event of a time that has come */
  | { readonly type: `xstate.after.${string}` }
)
