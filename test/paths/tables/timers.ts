/** How long each thing lasts that time alone ends (specification 2.6, 3, 8; `spec/keyshare-server.md` 7.1; decisions D3, D4, K3 and on time), with the options of a server
 *  that sets none. It is typed by hand. The ends in the charts of logins and deliveries stand in their rows (login.ts, delivery.ts). @module */
import type { ProfileName } from '../../../protocol/profiles.ts'

export type Stay = 'INITIALIZED' | 'PAIRING' | 'CONNECTED' | 'DONE' | 'CANCELLED' | 'TIMEOUT'

/** A stay in a status, counted from when it was entered.
 *  @property timeoutSec of the request; 0: none is given */
export type SessionTimer = readonly [
  section: string,
  profile: ProfileName,
  timeoutSec: number,
  status: Stay,
  lengthSec: number,
  to: 'TIMEOUT' | 'forgotten',
]

// biome-ignore format: a table is read by its columns
export const SESSION_TIMERS: readonly SessionTimer[] = [
  // the timeout bounds every open status, 300 s by default, and begins anew with the status
  ['2.6, 8, D3', 'svc',  0,  'INITIALIZED', 300, 'TIMEOUT'],
  ['2.6, 8, D3', 'svc',  0,  'PAIRING',     300, 'TIMEOUT'],
  ['2.6, 8, D3', 'svc',  0,  'CONNECTED',   300, 'TIMEOUT'],
  ['2.6, 8, D3', 'svc',  60, 'INITIALIZED', 60,  'TIMEOUT'],
  ['2.6, 8, D3', 'svc',  60, 'PAIRING',     60,  'TIMEOUT'],
  ['2.6, 8, D3', 'svc',  60, 'CONNECTED',   60,  'TIMEOUT'],
  // for the apps that exist the timeout bounds the first status alone; the others have the longest life of a session
  ['D3',         'irma', 0,  'INITIALIZED', 900, 'TIMEOUT'],
  ['D3',         'irma', 0,  'PAIRING',     900, 'TIMEOUT'],
  ['D3',         'irma', 0,  'CONNECTED',   900, 'TIMEOUT'],
  ['D3',         'irma', 60, 'INITIALIZED', 60,  'TIMEOUT'],
  ['D3',         'irma', 60, 'PAIRING',     900, 'TIMEOUT'],
  ['D3',         'irma', 60, 'CONNECTED',   900, 'TIMEOUT'],
  // a final status is kept for five minutes, whatever was asked for
  ['3, 8, D4',   'svc',  60, 'DONE',        300, 'forgotten'],
  ['3, 8, D4',   'svc',  60, 'CANCELLED',   300, 'forgotten'],
  ['3, 8, D4',   'svc',  60, 'TIMEOUT',     300, 'forgotten'],
  ['3, 8, D4',   'irma', 0,  'DONE',        300, 'forgotten'],
  ['3, 8, D4',   'irma', 0,  'CANCELLED',   300, 'forgotten'],
  ['3, 8, D4',   'irma', 0,  'TIMEOUT',     300, 'forgotten'],
]

/** The longest times of a call (decisions: time, replay). */
export const CALL_LIMITS_SEC = {
  /** reading a request */
  reading: 10,
  /** waiting for the outcome of a submission: apps give up at 20 s */
  outcome: 15,
  /** every other call */
  handling: 4,
  /** asking for the next session of a chain */
  nextSession: 8,
  /** after its commit an answer may be sent again */
  replay: 90,
} as const

/** A claim, and an attempt of a delivery, are void after so long without a sign of whoever works on them (design, two kinds of effects). */
export const LEASE_SEC = 30

/** The JWT of a result, where the request does not say for how long it is good (2.6, 8). */
export const RESULT_JWT_SEC = 120

/** The authentication JWT of a keyshare server (8, K3). */
export const AUTHENTICATION_SEC = 900
