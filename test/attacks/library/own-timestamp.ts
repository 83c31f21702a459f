/** The holder of an expired credential signs, and makes the timestamp for a day on which the credential was valid. @module */
import { generateKeyPairSync } from 'node:crypto'
import { draftDisclosure } from '../../../crypto/disclosure.ts'
import { signatureNonce, signTimestamp, timestampNonce } from '../../../crypto/timestamp.ts'
import { NotTriedError } from '../../../libraries/conformance/expect.ts'
import { schemeOf } from '../../../protocol/ids.ts'
import { writeJson } from '../../../protocol/json.ts'
import { signedMessage } from '../../../protocol/signed-message.ts'
import type { Attack } from '../attack.ts'
import { arithmetic, ask, bytes, challengeOf, hidden, isAcceptedText } from '../forge.ts'
import { holderOf } from '../holder.ts'
import { signedInThePast } from '../signed-by-demo.ts'

const YEAR_SEC = 365 * 86_400
const TYPE = 'svc-demo.fast.note'
const ED25519_BYTES = 32

export const attack: Attack = {
  name: 'own-timestamp',
  gains: 'a signature with an expired credential, dated by its holder',
  cites: 'spec/cryptography#8.3',
  on: 'session server',
  async run(service) {
    const nowSec = Math.floor(service.clock.wallNow() / 1_000)
    const { secretKey } = holderOf(service)
    const dates = { issuedAtSec: nowSec - 2 * YEAR_SEC, expiresAtSec: nowSec - YEAR_SEC / 2 }
    const credential = signedInThePast(service, secretKey, TYPE, dates)
    const { type, key } = credential
    const serverUrl = service.wallet.schemes.scheme(schemeOf(type.id))?.timestampServer ?? ''
    if (serverUrl === '') throw new NotTriedError('the scheme names no timestamp server')
    const message = 'I agree'
    const asked = await ask(service, service.request('signing', { disclose: [[[`${TYPE}.text`]]], message }))
    const choice = { credential, disclosed: [2] }
    const { contribution, respond } = draftDisclosure(arithmetic, choice, hidden(secretKey), bytes)
    const { aDisclosed: disclosed } = respond(0n)
    const proof = { A: contribution[0], disclosed, key, attributeCount: type.attributes.length }
    const stamped = timestampNonce({ message, version: 2, proofs: [proof] }, arithmetic)
    const pair = generateKeyPairSync('ed25519')
    const timeSec = nowSec - YEAR_SEC
    const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-ED25519_BYTES)
    const signature = signTimestamp(timeSec, stamped, pair.privateKey)
    const timestamp = { timeSec, serverUrl, alg: 'ed25519', signature, publicKey, hashing: null }
    const nonce = signatureNonce(asked.nonce, message, signature)
    const proofs = [respond(challengeOf({ ...asked, nonce }, [contribution], true))]
    const { nonce: sent, context, contextBase, session } = asked
    const signed = { version: 2, proofs, indices: [[{ cred: 0, attr: 2 }]], nonce: sent, context } as const
    const body = writeJson(signedMessage({ ...signed, message, timestamp }, contextBase))
    return (await isAcceptedText(service, session, body)) ? 'the timestamp of the holder counts' : null
  },
}
