/** A stranger sends the authority a record of an issuance that never happened, signed with the stranger's own key. Such records decide which credentials
 *  can be revoked. @module */
import { generateKeyPairSync } from 'node:crypto'
import { signIssuanceRecord } from '../../../crypto/revocation/issuance-record.ts'
import { parseCredentialTypeId } from '../../../protocol/ids.ts'
import type { Attack } from '../attack.ts'
import { withService } from '../own-service.ts'
import { PERMIT } from '../revoked.ts'

/** A prime that fits a revocation attribute. */
const PRIME = 65_537n
const DAY_MS = 86_400_000
const NS_OF_MS = 1_000_000n

export const attack: Attack = {
  name: 'issuance-record-forged',
  gains: 'records in the database of an issuer that the issuer did not sign',
  cites: 'spec/cryptography#14.7',
  on: 'own servers',
  run: own =>
    withService(own, { revocation_settings: { [PERMIT]: { authority: true } } }, async service => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const ecdsa = privateKey.export({ format: 'der', type: 'sec1' }).toString('base64')
      const nowMs = Math.floor(service.clock.wallNow())
      const record = {
        revocationKey: 'the key of another person',
        credentialType: parseCredentialTypeId(PERMIT),
        issuedAtNs: BigInt(nowMs) * NS_OF_MS,
        keyCounter: 0,
        e: PRIME,
        validUntilNs: BigInt(nowMs + DAY_MS) * NS_OF_MS,
        revokedAtNs: 0n,
      }
      const none = { p: 0n, q: 0n, pPrime: 0n, qPrime: 0n, counter: 0, expiresAtSec: 0 }
      const body = Buffer.from(signIssuanceRecord(record, { ...none, ecdsa }))
      const { prefix } = service.profile
      const url = `${service.server}${prefix}/revocation/${PERMIT}/issuancerecord/0`
      const headers = { 'Content-Type': 'application/octet-stream' }
      const { status } = await fetch(url, { method: 'POST', headers, body })
      return status === 200 ? 'the record of a stranger was stored' : null
    }),
}
