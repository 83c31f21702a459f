/** The events of a keyshare login, as they are sent and as they reach its chart (machines/keyshare-login.ts). An event says what was checked before: the token,
 *  the device signature, the challenge. The PIN is compared after the commit of the event that reserves the attempt. @module */
import type { TimerEvent } from './timers.ts'

/** The two forms of the proof protocol: `v1` (unversioned and `/api/v1`) and `v2` (`/api/v2`). */
export type ProofVersion = 'v1' | 'v2'

/** Every event. The gate adds `at` (Unix ms), and the number of the attempt to events that reserve one. */
export type LoginEvent =
  /** verify_start, signed by the device */
  | { readonly type: 'app.startedLogin' }
  /** login, signed by the device: consumes the challenge, and reserves an attempt if it names the right one */
  | { readonly type: 'app.answered'; readonly isRightChallenge: boolean }
  /** legacy login, change of PIN or registration of a device key: reserves an attempt.
   *  `isSignedByDevice`: signed with the key that is already registered */
  | { readonly type: 'app.sentPin'; readonly isSignedByDevice: boolean }
  /** an attempt of any kind, while the account is blocked */
  | { readonly type: 'app.triedWhileBlocked' }
  /** the PIN of a login is correct */
  | { readonly type: 'server.acceptedPin'; readonly attempt: number }
  /** the PIN of a login is wrong; `triesLeft` as counted when its attempt was reserved */
  | { readonly type: 'server.refusedPin'; readonly attempt: number; readonly triesLeft: number }
  /** the old PIN is correct: the record holds the new one, and a new token id */
  | { readonly type: 'server.changedPin'; readonly attempt: number }
  /** the PIN is correct: the record holds the device key */
  | { readonly type: 'server.registeredKey'; readonly attempt: number }
  /** getCommitments, with a valid token */
  | { readonly type: 'app.requestedCommitments'; readonly version: ProofVersion }
  /** getResponse or getResponseLinkable, with a valid token: consumes the commitment */
  | { readonly type: 'app.requestedResponse'; readonly version: ProofVersion }
  /** the owner was warned that the account will be deleted at `deleteAt` (Unix ms) unless it is used */
  | { readonly type: 'server.warned'; readonly deleteAt: number }
  /** the owner confirms an address, or logs in to the account page */
  | { readonly type: 'owner.visited' }
  /** the owner deletes the account: it is unusable from now on, and its row is deleted at `deleteAt` (Unix ms) */
  | { readonly type: 'owner.disabled'; readonly deleteAt: number }
  | { readonly type: 'server.deleted' }

type ReservingEvent = Extract<LoginEvent, { readonly type: 'app.answered' | 'app.sentPin' }>

/** The event as the chart receives it. */
export type StampedLoginEvent =
  | ({ readonly at: number } & (
      | Exclude<LoginEvent, ReservingEvent>
      | (ReservingEvent & { readonly attempt: number })
    ))
  | TimerEvent
