/** One call of the wallet app (spec/interface#4.3), from the header to the committed answer. A call that the status, host or authorization does not allow is
 *  refused and changes nothing (spec/decisions#d14, #d15). An error while an allowed call is handled cancels the session and is stored as its answer (spec/decisions#d16).
 *  A repeated call gets the same answer. @module */
import { hash } from 'node:crypto'
import type { Context } from 'koa'
import type { AcceptsSessionEvent, Decide, Step } from '../../actors/sessions.ts'
import {
  RemoteError,
  SessionUnauthorizedError,
  SessionUnknownError,
  UnavailableError,
} from '../../protocol/errors.ts'
import { NOTHING_SENT } from '../../protocol/sent-updates.ts'
import type { RequestFacts } from '../../protocol/session-request-for-app.ts'
import type { ProtocolVersion } from '../../protocol/versions.ts'
import { profileOf } from '../../sessions/profile-of.ts'
import { cancelledBy, errorTypeOf } from '../../sessions/stored-answer.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { answerStored } from '../answer.ts'
import type { ServerDeps } from '../deps.ts'
import { noteError } from '../request-facts.ts'
import { isSameSecret } from '../secrets.ts'

export type AppDeps = Pick<ServerDeps, 'sessions' | 'settings' | 'isOverloaded'>

export type AppCall = {
  /** none for a GET */
  readonly body?: Uint8Array
  /** throws the error that refuses the call; nothing changes then */
  readonly allow: (row: SessionRow, can: AcceptsSessionEvent) => void
  /** the step of a call that is allowed; the remote error that it throws cancels the session */
  readonly handle: (row: SessionRow) => Step
}

/** @throws {SessionUnknownError} also when the session changed its status meanwhile
 *  @throws {UnavailableError} when the outcome of a submission is not available in time */
export async function answerCall(
  ctx: Context,
  { id }: SessionRow,
  { sessions, settings }: AppDeps,
  call: AppCall,
): Promise<void> {
  const decide: Decide = (row, can) => {
    call.allow(row, can)
    try {
      return call.handle(row)
    } catch (error) {
      if (!(error instanceof RemoteError) || error instanceof UnavailableError) throw error
      return { event: { type: 'app.failed' }, ...cancelledBy(error, settings.verbosity > 0) }
    }
  }
  const turn = await sessions.call(id, hashOf(ctx, call.body, settings), decide)
  if ('refused' in turn) throw new SessionUnknownError()
  noteError(ctx, errorTypeOf(turn.answer))
  answerStored(ctx, turn.answer)
}

/** Calls after the first GET: the session is connected. If the connected app identified itself, only that app may continue (spec/decisions#d15).
 *  @throws {SessionUnknownError} where the chart takes no call of an app that has connected (spec/decisions#d14)
 *  @throws {SessionUnauthorizedError} */
export function requireConnectedApp(ctx: Context, row: SessionRow, can: AcceptsSessionEvent): void {
  if (!can({ type: 'app.fetched' })) throw new SessionUnknownError()
  if (isOtherApp(ctx, row)) throw new SessionUnauthorizedError()
}

/** Refuses another app before the body is read. No replay could answer it, because the authorization is part of every call.
 *  @throws {SessionUnknownError} @throws {SessionUnauthorizedError} as `requireConnectedApp` */
export function refuseOtherApp(ctx: Context, row: SessionRow, { sessions }: AppDeps): void {
  if (isOtherApp(ctx, row)) requireConnectedApp(ctx, row, event => sessions.can(row, event))
}

/** True if the connected app identified itself and the caller is another app (spec/decisions#d15). */
export function isOtherApp(ctx: Context, { clientAuthorization }: SessionRow): boolean {
  return clientAuthorization !== null && !isSameSecret(ctx.get('Authorization'), clientAuthorization)
}

/** True if the caller is the connected app. It proves this by the secret that it sent when it connected. */
export function isConnectedApp(ctx: Context, row: SessionRow): boolean {
  return row.clientAuthorization !== null && !isOtherApp(ctx, row)
}

/** The facts that the session request gives the app beside the requested attributes. */
export function requestFacts(
  row: SessionRow,
  protocolVersion: ProtocolVersion,
  settings: AppDeps['settings'],
): RequestFacts {
  const profile = profileOf(row, settings)
  const sent = row.sentUpdates?.value ?? NOTHING_SENT
  return { nonce: row.nonce, protocolVersion, devMode: !settings.production, profile, sent }
}

/** Two calls are the same if this hash is equal (spec/decisions#replay). */
function hashOf(ctx: Context, body: Uint8Array | undefined, { profile }: AppDeps['settings']): string {
  const bodyHash = hash('sha256', body ?? '')
  const headers = [profile.minVersionHeader, profile.maxVersionHeader, 'Authorization']
  const parts = [ctx.method, ctx.path, bodyHash, ...headers.map(name => ctx.get(name))]
  return hash('sha256', JSON.stringify(parts))
}
