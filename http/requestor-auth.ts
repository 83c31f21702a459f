/** Who asks for a session (spec 5.1; spec/session-server.md 6.2, 6.3 with D5): anybody when the server says `no_auth`, else the requestor whose token is
 *  in the `Authorization` header. Signed requests are told apart and refused, for they are not served yet. Tokens are compared in constant time and
 *  appear in no message. @module */
import type { Context } from 'koa'
import { InvalidRequest, Unauthorized } from '../protocol/errors.ts'
import type { Requestor } from '../sessions/permissions.ts'
import { isSameSecret } from './secrets.ts'
import type { RequestorSettings, ServerSettings } from './settings.ts'

const NOBODY: Requestor = { name: '', disclosePerms: [], signPerms: [], issuePerms: [], hostPerms: [] }

/** Three parts of Base64url; no JSON text looks like this. */
const JWT = /^\s*[\w-]+\.[\w-]+\.[\w-]*\s*$/

/** @param text body of the request
 *  @throws {InvalidRequest} when no method applies
 *  @throws {Unauthorized} for a token that no requestor has */
export function authenticate(ctx: Context, text: string, settings: ServerSettings): Requestor {
  const mayBeSigned = isPlainText(ctx.get('Content-Type')) && JWT.test(text)
  if (settings.noAuth) {
    if (mayBeSigned)
      throw new InvalidRequest('expected a session request in JSON (no_auth), got a signed one')
    return NOBODY
  }
  const token = ctx.get('Authorization')
  if (token !== '') return ownerOf(token, settings.requestors)
  throw new InvalidRequest(
    mayBeSigned
      ? 'signed session requests are not served yet: expected JSON and an Authorization header'
      : 'request could not be authenticated: expected an Authorization header, got none',
  )
}

/** Compared by case-sensitive prefix.
 *  @throws {InvalidRequest} for a type that holds neither JSON nor a JWT */
function isPlainText(contentType: string): boolean {
  if (contentType.startsWith('text/plain')) return true
  if (contentType.startsWith('application/json')) return false
  throw new InvalidRequest(
    `Unsupported Content-Type: expected application/json or text/plain, got ${JSON.stringify(contentType.slice(0, 100))}`,
  )
}

/** Looks at every requestor, found or not. */
function ownerOf(token: string, requestors: readonly RequestorSettings[]): Requestor {
  const [owner] = requestors.filter(({ auth }) => auth.method === 'token' && isSameSecret(token, auth.token))
  if (!owner) throw new Unauthorized()
  const { auth: _, ...requestor } = owner
  return requestor
}
