/** The session that a path names. A malformed token is an unknown session (D2). Calls by client token must come to the host that the request
 *  names, if it names one (spec 2.3): the exact `Host`, port included. @module */
import type { Context } from 'koa'
import { SessionUnknown, Unauthorized } from '../protocol/errors.ts'
import type { SessionRow } from '../stores/session-store.ts'
import type { ServerDeps } from './deps.ts'
import { noteSession } from './request-facts.ts'

type Deps = Pick<ServerDeps, 'sessions'>

const TOKEN = /^[A-Za-z0-9]{20}$/

/** @throws {SessionUnknown} */
export async function findByRequestorToken(ctx: Context, { sessions }: Deps): Promise<SessionRow> {
  return known(ctx, await sessions.findByRequestorToken(tokenOf(ctx.params.requestorToken)))
}

/** @throws {SessionUnknown}
 *  @throws {Unauthorized} for another host */
export async function findByClientToken(ctx: Context, { sessions }: Deps): Promise<SessionRow> {
  const session = known(ctx, await sessions.findByClientToken(tokenOf(ctx.params.clientToken)))
  const { host } = session.request.value.request
  if (host !== '' && host !== ctx.get('Host')) throw new Unauthorized('Host mismatch')
  return session
}

function tokenOf(parameter: unknown): string {
  if (typeof parameter !== 'string' || !TOKEN.test(parameter)) throw new SessionUnknown()
  return parameter
}

function known(ctx: Context, session: SessionRow | null): SessionRow {
  if (session === null) throw new SessionUnknown()
  noteSession(ctx, session)
  return session
}
