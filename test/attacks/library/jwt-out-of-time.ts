/** Right JWTs that are too old, that have ended, or that are of the future. @module */
import type { Attack } from '../attack.ts'
import { claimsOf, jwtOf, LARGE, nowSec, rs256, tryJwts } from '../requestors.ts'

const HOUR_SEC = 3_600

export const attack: Attack = {
  name: 'jwt-out-of-time',
  gains: 'a session from the copy of a signed request',
  cites: 'spec/session-server#6.4',
  on: 'own servers',
  run(own) {
    const now = nowSec()
    const withClaims = (claims: object): string =>
      jwtOf({ alg: 'RS256' }, { ...claimsOf(LARGE), ...claims }, rs256())
    return tryJwts(own, {
      'that has ended': withClaims({ exp: now - HOUR_SEC }),
      'that is too old': withClaims({ iat: now - HOUR_SEC }),
      'without a time': withClaims({ iat: undefined }),
      'of 1970': withClaims({ iat: 0 }),
      'of the future': withClaims({ iat: now + HOUR_SEC }),
      'that is not valid yet': withClaims({ nbf: now + HOUR_SEC }),
      'with a text as iat': withClaims({ iat: `${now}` }),
      'with a time below 0': withClaims({ iat: -1 }),
    })
  },
}
