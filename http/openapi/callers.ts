/** The part of an endpoint's description that depends on its caller: the authentication, and the errors when it fails. @module */
import type { CallerTypes } from '../callers.ts'
import type { KeyshareCallerTypes } from '../keyshare/callers.ts'

/** The ways to authenticate, by name; each is a header `Authorization`. */
export const SECURITY = {
  requestorToken: 'The token of a requestor alone, without "Bearer"',
  frontendToken:
    'The frontend token of the session: frontendRequest.authorization in the answer to the session request',
  appAuthorization: 'The same header as in the first call of the wallet app; none if that call had none',
  authenticationJwt: 'The JWT of a login, alone or after "Bearer "',
} as const

type CallerFacts = {
  readonly errors: readonly number[]
  /** left out: none */
  readonly security?: keyof typeof SECURITY
  /** true: calls may be sent without it */
  readonly isOptional?: true
}

const CALLERS = {
  anybody: { errors: [] },
  requestor: { errors: [400, 403], security: 'requestorToken' },
  'requestor token': { errors: [400] },
  'requestor token, key': { errors: [400, 501] },
  'client token': { errors: [400, 403] },
  'client token, turn': { errors: [400, 403] },
  'connected app': { errors: [400, 403], security: 'appAuthorization', isOptional: true },
  frontend: { errors: [400, 403], security: 'frontendToken' },
  issuer: { errors: [400] },
  user: { errors: [400, 403], security: 'authenticationJwt' },
} as const satisfies Record<keyof CallerTypes | keyof KeyshareCallerTypes, CallerFacts>

export function factsOf(caller: keyof typeof CALLERS): CallerFacts {
  return CALLERS[caller]
}
