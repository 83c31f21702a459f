/** A revoked credential, with a right proof for the accumulator before its revocation. @module */
import type { Attack } from '../attack.ts'
import { REVOCATION, showRevoked } from '../revoked.ts'

export const attack: Attack = {
  name: 'revoked-old-witness',
  gains: 'the use of a revoked credential',
  cites: 'spec/cryptography#14.6',
  on: 'own servers',
  run: own =>
    showRevoked(own, ({ revocation }) => {
      if (revocation === undefined) throw new Error('expected a permit with a witness')
      return { nonRevocation: { witness: revocation.witness, index: REVOCATION } }
    }),
}
