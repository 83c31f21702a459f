/** The frontend proves that it is the one of this session (spec/interface#5.3 rule 2). @module */
import type { Context } from 'koa'
import { SessionUnauthorizedError } from '../protocol/errors.ts'
import type { SessionRow } from '../stores/session-store.ts'
import { hashOfToken } from '../stores/token-hash.ts'
import { isSameSecret } from './secrets.ts'

/** @throws {SessionUnauthorizedError} */
export function requireFrontendToken(ctx: Context, session: SessionRow): void {
  if (!isSameSecret(hashOfToken(ctx.get('Authorization')), session.frontendTokenHash))
    throw new SessionUnauthorizedError()
}
