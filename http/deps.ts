/** What the endpoints are given. Each takes only the parts it names. @module */
import type { Context } from 'koa'
import type { Logger } from 'pino'
import type { Clock } from '../actors/clock.ts'
import type { Sessions } from '../actors/sessions.ts'
import type { Schemes } from '../schemes/types.ts'
import type { SessionRow } from '../stores/session-store.ts'
import type { ServerSettings } from './settings.ts'

/** Randomness, asked for in the order that the creation of a session documents, so that a recorded exchange can be replayed. */
export interface Randomness {
  /** 20 characters of a-z, A-Z, 0-9 */
  token(): string
  /** 4 digits */
  pairingCode(): string
  /** uniform below 2^128 */
  nonce(): bigint
}

export type ServerDeps = {
  readonly sessions: Sessions
  readonly schemes: Schemes
  readonly settings: ServerSettings
  readonly random: Randomness
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** whether so many proofs wait that no new session should begin: creation and the first call of the app are refused then, never a submission */
  isOverloaded(): boolean
}

/** Answers a call by setting status, headers and body. */
export type Endpoint = (ctx: Context) => Promise<void> | void
/** Answers a call about a session that was found; the row is as it was then. */
export type SessionEndpoint = (ctx: Context, session: SessionRow) => Promise<void> | void
/** The same, with the body of the call. */
export type BodyEndpoint = (ctx: Context, session: SessionRow, body: Uint8Array) => Promise<void>
