/** Every time limit (spec/interface#2.6, #3, #8; spec/keyshare-server#7.1; spec/decisions#d3, #d4, #k3, #time), for a server
 *  without options. It is typed by hand. The deadlines of the charts of logins and deliveries are in their rows (login.ts, delivery.ts). @module */
import type { ProfileName } from '../../../protocol/profiles.ts'

export type Stay = 'INITIALIZED' | 'PAIRING' | 'CONNECTED' | 'DONE' | 'CANCELLED' | 'TIMEOUT'

/** A stay in a status, counted from its beginning.
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
  // the timeout limits every open status, 300 s by default, and restarts with the status
  ['spec/interface#2.6, #8, spec/decisions#d3', 'svc',  0,  'INITIALIZED', 300, 'TIMEOUT'],
  ['spec/interface#2.6, #8, spec/decisions#d3', 'svc',  0,  'PAIRING',     300, 'TIMEOUT'],
  ['spec/interface#2.6, #8, spec/decisions#d3', 'svc',  0,  'CONNECTED',   300, 'TIMEOUT'],
  ['spec/interface#2.6, #8, spec/decisions#d3', 'svc',  60, 'INITIALIZED', 60,  'TIMEOUT'],
  ['spec/interface#2.6, #8, spec/decisions#d3', 'svc',  60, 'PAIRING',     60,  'TIMEOUT'],
  ['spec/interface#2.6, #8, spec/decisions#d3', 'svc',  60, 'CONNECTED',   60,  'TIMEOUT'],
  // for existing apps the timeout limits only the first status; the others may last as long as a session may live
  ['spec/decisions#d3',                         'irma', 0,  'INITIALIZED', 900, 'TIMEOUT'],
  ['spec/decisions#d3',                         'irma', 0,  'PAIRING',     900, 'TIMEOUT'],
  ['spec/decisions#d3',                         'irma', 0,  'CONNECTED',   900, 'TIMEOUT'],
  ['spec/decisions#d3',                         'irma', 60, 'INITIALIZED', 60,  'TIMEOUT'],
  ['spec/decisions#d3',                         'irma', 60, 'PAIRING',     900, 'TIMEOUT'],
  ['spec/decisions#d3',                         'irma', 60, 'CONNECTED',   900, 'TIMEOUT'],
  // a final status is kept for five minutes, for every request
  ['spec/interface#3, #8, spec/decisions#d4',   'svc',  60, 'DONE',        300, 'forgotten'],
  ['spec/interface#3, #8, spec/decisions#d4',   'svc',  60, 'CANCELLED',   300, 'forgotten'],
  ['spec/interface#3, #8, spec/decisions#d4',   'svc',  60, 'TIMEOUT',     300, 'forgotten'],
  ['spec/interface#3, #8, spec/decisions#d4',   'irma', 0,  'DONE',        300, 'forgotten'],
  ['spec/interface#3, #8, spec/decisions#d4',   'irma', 0,  'CANCELLED',   300, 'forgotten'],
  ['spec/interface#3, #8, spec/decisions#d4',   'irma', 0,  'TIMEOUT',     300, 'forgotten'],
]

/** Limits of a call (spec/decisions#time, #replay). */
export const CALL_LIMITS_SEC = {
  /** reading a request */
  reading: 10,
  /** waiting for the outcome of a submission: apps give up at 20 s */
  outcome: 15,
  /** every other call */
  handling: 4,
  /** asking for the next session of a chain */
  nextSession: 8,
  /** the time after its commit during which an answer may be sent again */
  replay: 90,
} as const

/** A claim without a renewal for this long is void, and so is an attempt of a delivery without an outcome (spec/laws#effects). */
export const LEASE_SEC = 30

/** The JWT of a result, if the request gives no validity (spec/interface#2.6, #8). */
export const RESULT_JWT_SEC = 120

/** The authentication JWT of a keyshare server (spec/interface#8, spec/decisions#k3). */
export const AUTHENTICATION_SEC = 900
