/** JWTs that the keyshare server signed for another time or another purpose. @module */
import type { Attack } from '../attack.ts'
import { type Forge, firstIssued, KEYSHARE_KEY, rightClaims, rs256 } from '../keyshare-jwts.ts'
import { jwtOf } from '../requestors.ts'

const HOUR_SEC = 3_600

export const attack: Attack = {
  name: 'keyshare-jwt-out-of-time',
  gains: 'a credential from the copy of a JWT, or from one for another use',
  cites: 'spec/cryptography#11.3',
  on: 'session server',
  async run(service) {
    const right = rightClaims()
    const signed =
      (claims: object): Forge =>
      ProofP =>
        jwtOf({ alg: 'RS256', kid: '0' }, { ...right, ProofP, ...claims }, rs256(KEYSHARE_KEY))
    if ((await firstIssued(service, { right: signed({}) })) === null)
      throw new Error('expected a credential from a right JWT')
    return firstIssued(service, {
      'that has ended': signed({ exp: right.iat - HOUR_SEC }),
      'of the future': signed({ iat: right.iat + HOUR_SEC }),
      'that is not valid yet': signed({ nbf: right.iat + HOUR_SEC }),
      'of another purpose': signed({ sub: 'auth_tok' }),
      'without a purpose': signed({ sub: undefined }),
    })
  },
}
