/** A revoked credential, without the proof that the request asks for. @module */
import type { Attack } from '../attack.ts'
import { showRevoked } from '../revoked.ts'

export const attack: Attack = {
  name: 'revoked-without-proof',
  gains: 'the use of a revoked credential',
  cites: 'spec/cryptography#14.6',
  on: 'own servers',
  run: own => showRevoked(own, () => ({})),
}
