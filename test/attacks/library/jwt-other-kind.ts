/** A signed request of one kind is used as one of another kind, or with more in it than was signed for. @module */
import type { Attack } from '../attack.ts'
import { claimsOf, ISSUANCE, jwtOf, LARGE, LARGE_REQUEST, rs256, tryJwts } from '../requestors.ts'

const RS256 = { alg: 'RS256' }

export const attack: Attack = {
  name: 'jwt-other-kind',
  gains: 'an issuance from a request that was signed to disclose',
  cites: 'spec/session-server#6.4',
  on: 'own servers',
  run(own) {
    const disclosing = claimsOf(LARGE)
    const withClaims = (claims: object): string => jwtOf(RS256, { ...disclosing, ...claims }, rs256())
    const right = jwtOf(RS256, disclosing, rs256())
    const more = Buffer.from(JSON.stringify(claimsOf(LARGE, ISSUANCE))).toString('base64url')
    const [header = '', , signature = ''] = right.split('.')
    return tryJwts(own, {
      'of another sub': withClaims({ sub: 'issue_request' }),
      'without sub': withClaims({ sub: undefined }),
      'of an issuance as a disclosure': withClaims({ sprequest: { request: ISSUANCE } }),
      'of a result': withClaims({ sub: 'disclosing_result' }),
      'with the request in another field': withClaims({
        sprequest: undefined,
        iprequest: { request: LARGE_REQUEST },
      }),
      'with other claims': `${header}.${more}.${signature}`,
      'with a part before it': `${header}.${more}.${right}`,
      'with a part after it': `${right}.${more}`,
      'with crit': jwtOf({ ...RS256, crit: ['b64'], b64: false }, disclosing, rs256()),
    })
  },
}
