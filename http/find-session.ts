/** The session that a path names. A malformed token is an unknown session (spec/decisions#d2). Calls by client token must come to the host that the request
 *  names, if it names one (spec/interface#2.3). @module */
import type { Context } from 'koa'
import { SessionUnknownError, WrongHostError } from '../protocol/errors.ts'
import { comparedHost } from '../protocol/hosts.ts'
import { PROFILES } from '../protocol/profiles.ts'
import type { SessionRow } from '../stores/session-store.ts'
import type { ServerDeps } from './deps.ts'
import { noteSession } from './request-facts.ts'

type Deps = Pick<ServerDeps, 'sessions'>

const TOKEN = /^[A-Za-z0-9]{20}$/

/** @throws {SessionUnknownError} */
export async function findByRequestorToken(ctx: Context, { sessions }: Deps): Promise<SessionRow> {
  return known(ctx, await sessions.findByRequestorToken(tokenOf(ctx.params.requestorToken)))
}

/** @throws {SessionUnknownError}
 *  @throws {WrongHostError} for another host */
export async function findByClientToken(ctx: Context, { sessions }: Deps): Promise<SessionRow> {
  const session = known(ctx, await sessions.findByClientToken(tokenOf(ctx.params.clientToken)))
  if (!isAtItsHost(ctx, session))
    throw new WrongHostError('Host mismatch: expected the host that the session request names, got another')
  return session
}

/** The session as this node knows it, for a call whose turn decides by the stored row. Before this refuses a call, it reads the stored session.
 *  @throws {SessionUnknownError} @throws {WrongHostError} as `findByClientToken` */
export async function findForTurn(ctx: Context, deps: Deps): Promise<SessionRow> {
  const session = deps.sessions.knownByClientToken(tokenOf(ctx.params.clientToken))
  return session && isAtItsHost(ctx, session) ? known(ctx, session) : findByClientToken(ctx, deps)
}

function isAtItsHost(ctx: Context, { request, profile }: SessionRow): boolean {
  const { host } = request.value.request
  const rule = PROFILES[profile]
  return host === '' || comparedHost(host, rule) === comparedHost(ctx.get('Host'), rule)
}

/** @throws {SessionUnknownError} */
export function tokenOf(parameter: unknown): string {
  if (typeof parameter !== 'string' || !TOKEN.test(parameter)) throw new SessionUnknownError()
  return parameter
}

function known(ctx: Context, session: SessionRow | null): SessionRow {
  if (session === null) throw new SessionUnknownError()
  noteSession(ctx, session)
  return session
}
