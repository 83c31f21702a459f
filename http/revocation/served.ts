/** The common parts of the endpoints of revocation (spec/cryptography#14.7): the credential type and the numbers in their paths. @module */
import type { Context } from 'koa'
import type { ServedRevocation } from '../../actors/revocation/revocation.ts'
import { InvalidRequestError, MalformedInputError, NotFoundError } from '../../protocol/errors.ts'
import { type CredentialTypeId, parseCredentialTypeId } from '../../protocol/ids.ts'
import type { Endpoint, ServerDeps } from '../deps.ts'

export type RevocationEndpoint = (ctx: Context, served: ServedRevocation) => Promise<void> | void

export const NOT_SERVED = 'not supported by this server'

type Deps = Pick<ServerDeps, 'revocation'>

/** @returns the endpoint of a call without a body, for types whose revocations this server publishes */
export function ofServedType(deps: Deps, endpoint: RevocationEndpoint): Endpoint {
  return ctx => endpoint(ctx, servedIn(ctx, deps))
}

/** The published revocation data of the credential type in the path.
 *  @throws {InvalidRequestError} */
export function servedIn(ctx: Context, { revocation }: Deps): ServedRevocation {
  const served = revocation.served(typeIn(ctx))
  if (served === null) throw new InvalidRequestError(NOT_SERVED)
  return served
}

/** @throws {InvalidRequestError} if it is no credential type */
export function typeIn(ctx: Context): CredentialTypeId {
  try {
    return parseCredentialTypeId(ctx.params.type)
  } catch (cause) {
    if (cause instanceof MalformedInputError) throw new InvalidRequestError(NOT_SERVED, { cause })
    throw cause
  }
}

/** A number in the path.
 *  @throws {NotFoundError} for anything else: it is another path */
export function numberIn(ctx: Context, name: string): number {
  const number = Number(ctx.params[name])
  if (!/^[0-9]+$/.test(ctx.params[name]) || !Number.isSafeInteger(number)) throw new NotFoundError()
  return number
}
