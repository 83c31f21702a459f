/** Requests in the name of a requestor, without its signature. @module */
import { generateKeyPairSync } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { claimsOf, hs256, jwtOf, LARGE, rs256, tryJwts } from '../requestors.ts'

const NONE = ['none', 'None', 'NONE', 'nOnE', '']

export const attack: Attack = {
  name: 'jwt-unsigned',
  gains: 'sessions in the name of a requestor whose key the attacker lacks',
  cites: 'spec/session-server#6.4',
  on: 'own servers',
  run(own) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const claims = claimsOf(LARGE)
    return tryJwts(own, {
      ...Object.fromEntries(NONE.map(alg => [`of alg ${alg}`, jwtOf({ alg }, claims, () => '')])),
      'without alg': jwtOf({}, claims, () => ''),
      'without a signature': jwtOf({ alg: 'RS256' }, claims, () => ''),
      'without a MAC': jwtOf({ alg: 'HS256' }, claims, () => ''),
      'with the key of the attacker': jwtOf({ alg: 'RS256' }, claims, rs256(privateKey)),
      'with its own key in the header': jwtOf(
        { alg: 'RS256', jwk: privateKey.export({ format: 'jwk' }) },
        claims,
        rs256(privateKey),
      ),
      'with an empty secret': jwtOf({ alg: 'HS256' }, claims, hs256(Buffer.of())),
    })
  },
}
