/** A revoked credential, with a right proof for an accumulator that the holder made and signed. @module */
import { generateKeyPairSync } from 'node:crypto'
import { readAccumulator, signAccumulator } from '../../../crypto/revocation/accumulator.ts'
import type { Attack } from '../attack.ts'
import { arithmetic } from '../forge.ts'
import { REVOCATION, showRevoked } from '../revoked.ts'

export const attack: Attack = {
  name: 'revoked-own-accumulator',
  gains: 'the use of a revoked credential',
  cites: 'spec/cryptography#14.5',
  on: 'own servers',
  run: own =>
    showRevoked(own, (permit, latest) => {
      const { key } = permit
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const ecdsa = pair.privateKey.export({ format: 'der', type: 'sec1' }).toString('base64')
      const e = permit.attributes[REVOCATION - 1] ?? 0n
      const nu = arithmetic.power(4n, e, key.n)
      const none = { p: 0n, q: 0n, pPrime: 0n, qPrime: 0n }
      const dates = { counter: key.counter, expiresAtSec: key.expiresAtSec }
      const own = { ...none, ...dates, ecdsa }
      const signed = signAccumulator({ ...readAccumulator(latest), nu }, own, key.counter)
      const publicEcdsa = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
      const { revocation } = key
      if (revocation === undefined) throw new Error('expected a key with revocation')
      const credential = { ...permit, key: { ...key, revocation: { ...revocation, ecdsa: publicEcdsa } } }
      return { credential, nonRevocation: { witness: { u: 4n, e, signed }, index: REVOCATION } }
    }),
}
