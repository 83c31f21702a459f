/** The holder makes the part of the keyshare server, with a half of 0, and a JWT that the server did not sign. @module */
import { generateKeyPairSync } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { type Forge, firstIssued, KEYSHARE_PUBLIC, rightClaims, rs256 } from '../keyshare-jwts.ts'
import { hs256, jwtOf } from '../requestors.ts'

export const attack: Attack = {
  name: 'keyshare-jwt-forged',
  gains: 'a credential whose secret key the keyshare server does not share',
  cites: 'spec/cryptography#11.3',
  on: 'session server',
  run(service) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = Buffer.from(KEYSHARE_PUBLIC.export({ format: 'pem', type: 'spki' }))
    const der = KEYSHARE_PUBLIC.export({ format: 'der', type: 'spki' })
    const jwtWith =
      (header: object, signature: (text: string) => string): Forge =>
      ProofP =>
        jwtOf(header, { ...rightClaims(), ProofP }, signature)
    return firstIssued(service, {
      'of alg none': jwtWith({ alg: 'none' }, () => ''),
      'without a signature': jwtWith({ alg: 'RS256', kid: '0' }, () => ''),
      'of another key': jwtWith({ alg: 'RS256', kid: '0' }, rs256(privateKey)),
      'of another key and an unknown kid': jwtWith({ alg: 'RS256', kid: '9' }, rs256(privateKey)),
      'with its own key': jwtWith(
        { alg: 'RS256', jwk: privateKey.export({ format: 'jwk' }) },
        rs256(privateKey),
      ),
      'with a MAC by the public key (PEM)': jwtWith({ alg: 'HS256', kid: '0' }, hs256(pem)),
      'with a MAC by the public key (DER)': jwtWith({ alg: 'HS256', kid: '0' }, hs256(der)),
    })
  },
}
