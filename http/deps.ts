/** The dependencies of the endpoints. Each takes only the parts that it names. @module */
import type { Context } from 'koa'
import type { Logger } from 'pino'
import type { Revocation } from '../actors/revocation/revocation.ts'
import type { Sessions } from '../actors/sessions.ts'
import type { Clock } from '../ports/clock.ts'
import type { LoopWatch } from '../ports/loop-watch.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { Traces } from '../ports/traces.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { Schemes } from '../schemes/types.ts'
import type { ResultSigner } from '../sessions/result-jwt.ts'
import type { NoteUnknownMembers } from '../sessions/unknown-members-log.ts'
import type { SessionRow } from '../stores/session-store.ts'
import type { HttpFigures } from './metrics/figures.ts'
import type { Readiness } from './readiness.ts'
import type { Limits, ServerSettings } from './settings.ts'

/** The parts that every kind of server has. */
export type HttpDeps = {
  readonly clock: Clock
  /** measures how late the event loop is; left out: it is never late */
  readonly loop?: LoopWatch | undefined
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly traces: Traces
  /** the counters; left out: nothing is counted */
  readonly figures?: HttpFigures | undefined
  readonly settings: {
    /** from 1 on, answers to errors carry `stacktrace` (spec/interface#7) */
    readonly verbosity: number
    readonly limits: Limits
    readonly profile: Pick<Profile, 'prefix' | 'head' | 'unreadBody' | 'unknownPath' | 'errorDescriptions'>
    /** the path before the prefix of the profile; left out: none */
    readonly apiPrefix?: string
  }
}

export type ServerDeps = HttpDeps & {
  readonly sessions: Sessions
  readonly schemes: Schemes
  /** Tries to update the schemes, in bounded time. */
  readonly lookForSchemes: () => Promise<void>
  readonly settings: ServerSettings
  readonly random: Randomness
  readonly revocation: Revocation
  readonly noteUnknownMembers: NoteUnknownMembers
  readonly readiness: Readiness
  /** true if so many proofs wait that a new session of that requestor must not begin. Creation and the first call of the app are refused then, never a submission. */
  isOverloaded(requestor: string): boolean
}

/** Answers a call by setting status, headers and body. */
export type Endpoint = (ctx: Context) => Promise<void> | void
/** Answers a call about a session. The row is the one that was read when the session was looked up. */
export type SessionEndpoint = (ctx: Context, session: SessionRow) => Promise<void> | void
/** As `SessionEndpoint`, with the body of the call. */
export type BodyEndpoint = (ctx: Context, session: SessionRow, body: Uint8Array) => Promise<void>
/** As `SessionEndpoint`, with the signer of results. */
export type SignedEndpoint = (ctx: Context, found: SignedSession) => Promise<void>
/** Answers a requestor whose request was not refused by its head. */
export type RequestorEndpoint = (ctx: Context, head: RequestHead, body: Uint8Array) => Promise<void>

/** The head of a requestor's request. Its content type decides whether the body may be a signed request. */
export type RequestHead = { readonly mayBeSigned: boolean }

/** A session and the signer of its result. */
export type SignedSession = { readonly session: SessionRow; readonly signer: ResultSigner }
