/** An empty text is the number 1, and every accumulator is its own first root: a proof about that attribute is right for every holder. @module */
import { readAccumulator } from '../../../crypto/revocation/accumulator.ts'
import type { Attack } from '../attack.ts'
import { NUMBER, showRevoked } from '../revoked.ts'

export const attack: Attack = {
  name: 'revoked-other-attribute',
  gains: 'the use of a revoked credential that has an empty attribute',
  cites: 'spec/cryptography#16',
  on: 'own servers',
  run: own =>
    showRevoked(own, (_permit, signed) => ({
      nonRevocation: { witness: { u: readAccumulator(signed).nu, e: 1n, signed }, index: NUMBER },
    })),
}
