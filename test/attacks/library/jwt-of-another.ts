/** A requestor of few permissions signs with its own key, and names another requestor in every place. @module */
import type { Attack } from '../attack.ts'
import { claimsOf, hs256, jwtOf, LARGE, LARGE_REQUEST, SMALL, tryJwts } from '../requestors.ts'

const HS256 = { alg: 'HS256' }

export const attack: Attack = {
  name: 'jwt-of-another',
  gains: 'the permissions of another requestor',
  cites: 'spec/session-server#6.4',
  on: 'own servers',
  run(own) {
    const large = claimsOf(LARGE)
    const small = claimsOf(SMALL)
    const twice = (...names: readonly string[]): string =>
      JSON.stringify(small).replace(`"iss":"${SMALL}"`, names.map(name => `"iss":"${name}"`).join(','))
    return tryJwts(own, {
      'with its own permissions': jwtOf(HS256, claimsOf(SMALL, LARGE_REQUEST), hs256()),
      'with another iss': jwtOf(HS256, large, hs256()),
      'with its kid and another iss': jwtOf({ ...HS256, kid: SMALL }, large, hs256()),
      'with another kid': jwtOf({ ...HS256, kid: LARGE }, small, hs256()),
      'with another kid as RS256': jwtOf({ alg: 'RS256', kid: LARGE }, small, hs256()),
      'with iss twice': jwtOf(HS256, twice(SMALL, LARGE), hs256()),
      'with iss twice, in the other order': jwtOf(HS256, twice(LARGE, SMALL), hs256()),
      'with a list as iss': jwtOf(HS256, { ...small, iss: [SMALL, LARGE] }, hs256()),
    })
  },
}
