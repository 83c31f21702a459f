/** A wallet app sends keys of other phones: one more than the requestor asked for, or again after the session has ended. Each SD-JWT is bound to one key. @module */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { draftCommitment } from '../../../crypto/commitment.ts'
import type { Service } from '../../../libraries/conformance/service.ts'
import { commitmentMessage } from '../../../protocol/commitment-message.ts'
import { writeJson } from '../../../protocol/json.ts'
import { issuerWithSdJwts } from '../../issuer-with-sd-jwts.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, type ConnectedSession, hidden, prove } from '../forge.ts'
import { withService } from '../own-service.ts'

const COUNT = 2

export const attack: Attack = {
  name: 'sd-jwts-beyond',
  gains: 'SD-JWTs for the keys of phones that the issuer did not mean',
  cites: 'spec/session-server#18',
  on: 'own servers',
  run: own =>
    withService(own, folders(), async service => {
      const answerTo = await commitments(service)
      const more = await answerTo(COUNT + 1)
      if (more > COUNT) return `${more} SD-JWTs in place of ${COUNT}`
      const answerAgain = await commitments(service)
      const first = await answerAgain(COUNT)
      if (first !== COUNT) throw new Error(`expected ${COUNT} SD-JWTs, got ${first}`)
      const again = await answerAgain(COUNT)
      return again > 0 ? `${again} more SD-JWTs from a session that has ended` : null
    }),
}

function folders() {
  const { certificates, privateKeys } = issuerWithSdJwts()
  return { sdjwtvc_issuer_certificates_dir: certificates, sdjwtvc_issuer_private_keys_dir: privateKeys }
}

/** @returns sends commitments with that many new keys, and gives the number of SD-JWTs in the answer */
async function commitments(service: Service): Promise<(keys: number) => Promise<number>> {
  const credentials = [service.credential({ sdJwtBatchSize: COUNT })]
  const asked: ConnectedSession = await ask(service, service.request('issuing', { credentials }))
  const secret = hidden(BigInt(`0x${randomBytes(31).toString('hex')}`))
  const drafts = service.wallet
    .offers(asked.offered)
    .map(({ key, randomBlind }) => draftCommitment(arithmetic, { key, randomBlind }, secret, bytes))
  const proofs = prove(asked, drafts).map(({ proof }) => proof)
  return async count => {
    const keys = Array.from({ length: count }, newKey)
    const message = { n2: 5n, disclosures: [], commitments: proofs, indices: [], proofPJwts: new Map(), keys }
    const body = writeJson(commitmentMessage(message))
    const { status, text } = await service.asApp(asked.session, 'POST', '/commitments', body)
    return status === 200 ? (JSON.parse(text).sdjwts?.length ?? 0) : 0
  }
}

function newKey() {
  const {
    kty = '',
    crv = '',
    x = '',
    y = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  return { kty, crv, x, y }
}
