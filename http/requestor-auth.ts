/** Identifies the sender of a request for a session or a revocation, and reads the request (spec/interface#5.1; spec/session-server#6.2 to #6.4 with
 *  spec/decisions#d5). With `no_auth` any caller may send it. Otherwise the sender is the requestor whose token is in the `Authorization` header, or the one that signed
 *  the request. Each requestor can use only its configured method. A caller without a right to send is refused before the body is read, if its headers suffice for that.
 *  Tokens are compared in constant time. No message contains a token or a request. @module */
import type { Context } from 'koa'
import {
  BodyTooLargeError,
  InvalidRequestError,
  UnauthorizedError,
  UnknownRequestorTokenError,
  UnsupportedMediaError,
} from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import { parseRevocationRequestText, type RevocationRequest } from '../protocol/revocation-request.ts'
import { type AskedSession, askedSession, unknownMembers } from '../protocol/unknown-members.ts'
import type { Requestor } from '../sessions/permissions.ts'
import {
  type JwtRequestor,
  type ReadClaims,
  revocationRequestOf,
  sessionRequestOf,
  signedRequestIn,
  verifyRequestJwt,
} from '../sessions/request-jwt.ts'
import type { RequestHead, ServerDeps } from './deps.ts'
import { textOf } from './read-body.ts'
import { noteRequestor } from './request-facts.ts'
import { isSameSecret } from './secrets.ts'
import type { RequestorSettings, ServerSettings } from './settings.ts'

const NOBODY: Requestor = {
  name: '',
  disclosePerms: [],
  signPerms: [],
  issuePerms: [],
  revokePerms: [],
  hostPerms: [],
}

/** A JWT: three parts of Base64url; no JSON text looks like this. */
const JWT = /^\s*[\w-]+\.[\w-]+\.[\w-]*\s*$/

/** The longest session request. It is read again at every call of its session, and wallet apps read no answer that is longer. */
const MAX_REQUEST_CHARACTERS = 2 ** 20

/** Reads a request from a plain body, or from the claims of a signed one.
 *  @throws {InvalidRequestError} */
export type RequestReader<Content> = {
  readonly ofText: (text: string, profile: Profile) => Content
  readonly ofClaims: ReadClaims<Content>
}

export const SESSION_REQUEST: RequestReader<AskedSession> = {
  ofText: askedSession,
  ofClaims: (claims, profile) => ({
    extended: sessionRequestOf(claims, profile),
    unknown: unknownMembers(signedRequestIn(claims).body),
  }),
}
export const REVOCATION_REQUEST: RequestReader<RevocationRequest> = {
  ofText: parseRevocationRequestText,
  ofClaims: revocationRequestOf,
}

type Asking<Content> = { readonly requestor: Requestor; readonly asked: Content }

/** The check before the body is read.
 *  @throws {InvalidRequestError} when no method applies
 *  @throws {UnauthorizedError} for a token that no requestor has */
export function headOf(ctx: Context, settings: ServerSettings): RequestHead {
  const mayBeSigned = isPlainText(ctx.get('Content-Type'), settings)
  if (!settings.noAuth && !mayBeSigned) senderOfToken(ctx, settings)
  return { mayBeSigned }
}

/** @throws {InvalidRequestError} when no method applies, for a bad signature, and for a malformed request
 *  @throws {UnauthorizedError} for a token that no requestor has, and a signed request that is too old */
export async function authenticate<Content>(
  ctx: Context,
  { mayBeSigned }: RequestHead,
  body: Uint8Array,
  { settings, clock }: Pick<ServerDeps, 'settings' | 'clock'>,
  reader: RequestReader<Content>,
): Promise<Asking<Content>> {
  const text = textOf(body, InvalidRequestError)
  const parse = (): Content => reader.ofText(requireShort(text, settings), settings.profile)
  const isSigned = mayBeSigned && JWT.test(text)
  if (settings.noAuth) {
    if (isSigned) throw new InvalidRequestError('expected a request in JSON (no_auth), got a signed one')
    return { requestor: NOBODY, asked: parse() }
  }
  if (isSigned) {
    if (ctx.get('Authorization') !== '')
      refuse('expected either a signed request or an Authorization header, got both')
    const nowSec = Math.floor(clock.wallNow() / 1000)
    const asking = await signedRequest(requireShort(text, settings), settings, nowSec, reader)
    noteRequestor(ctx, asking.requestor.name)
    return asking
  }
  return { requestor: senderOfToken(ctx, settings), asked: parse() }
}

/** The sender of a request that is not signed. */
function senderOfToken(ctx: Context, { signedRequestsOnly, requestors }: ServerSettings): Requestor {
  if (signedRequestsOnly) refuse('expected a signed request (text/plain), got something else')
  const token = ctx.get('Authorization')
  if (token === '')
    refuse('expected an Authorization header, or a signed request with Content-Type text/plain, got neither')
  const owner = ownerOf(token, requestors)
  noteRequestor(ctx, owner.name)
  return owner
}

function refuse(reason: string): never {
  throw new InvalidRequestError(`request could not be authenticated: ${reason}`)
}

/** Compared by case-sensitive prefix.
 *  @throws {InvalidRequestError} or {UnsupportedMediaError}, depending on the profile, for a content type of neither JSON nor a JWT */
function isPlainText(contentType: string, { profile }: Pick<ServerSettings, 'profile'>): boolean {
  if (contentType.startsWith('text/plain')) return true
  if (contentType.startsWith('application/json')) return false
  const Refused = profile.unreadBody === 'own-status' ? UnsupportedMediaError : InvalidRequestError
  throw new Refused(
    `Unsupported Content-Type: expected application/json or text/plain, got ${JSON.stringify(contentType.slice(0, 100))}`,
  )
}

function requireShort(text: string, { profile }: Pick<ServerSettings, 'profile'>): string {
  const Refused = profile.unreadBody === 'own-status' ? BodyTooLargeError : InvalidRequestError
  if (text.length > MAX_REQUEST_CHARACTERS)
    throw new Refused(`request: expected at most ${MAX_REQUEST_CHARACTERS} characters, got ${text.length}`)
  return text
}

/** Looks at every requestor, found or not. */
function ownerOf(token: string, requestors: readonly RequestorSettings[]): Requestor {
  const [owner] = requestors.filter(({ auth }) => auth.method === 'token' && isSameSecret(token, auth.token))
  if (!owner)
    throw new UnknownRequestorTokenError(
      `expected the token of a requestor in Authorization${/^Bearer /i.test(token) ? ', without "Bearer"' : ''}, got another`,
    )
  return withoutKey(owner)
}

async function signedRequest<Content>(
  text: string,
  { requestors, maxRequestAgeSec, profile }: ServerSettings,
  nowSec: number,
  { ofClaims }: RequestReader<Content>,
): Promise<Asking<Content>> {
  const known = requestors.flatMap(({ name, auth }): JwtRequestor[] =>
    auth.method === 'token' ? [] : [{ name, ...auth }],
  )
  const facts = { nowSec, maxRequestAgeSec, profile }
  const { requestor: name, asked } = await verifyRequestJwt(text, known, facts, ofClaims)
  const signer = requestors.find(requestor => requestor.name === name)
  if (!signer) throw new UnauthorizedError()
  return { requestor: withoutKey(signer), asked }
}

function withoutKey({ auth: _, ...requestor }: RequestorSettings): Requestor {
  return requestor
}
