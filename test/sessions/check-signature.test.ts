/** The judgement of a signed message (spec/interface#2.9; spec/cryptography#8.3, #12.6; spec/decisions#d6): its order, and every rule except those for the numbers of
 *  proofs. @module */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { ProofList } from '../../crypto/proof-list.ts'
import { type StampedMessage, signatureNonce, signTimestamp, timestampNonce } from '../../crypto/timestamp.ts'
import { ExceptionError, UnknownPublicKeyError } from '../../protocol/errors.ts'
import { restoreJson, writeJson } from '../../protocol/json.ts'
import { type SignedMessage, signedMessage } from '../../protocol/signed-message.ts'
import type { Schemes } from '../../schemes/types.ts'
import { checkSignature, type SignatureToCheck } from '../../sessions/check-signature.ts'
import { knownProofs } from '../../sessions/known-proofs.ts'
import type { Judgement } from '../../sessions/result.ts'
import { suite } from '../suite.ts'
import { type Case, IDCARD, NOTE, NOW_SEC, toCheck, WEEK_SEC, YES } from './judge.ts'
import { refusedWith } from './refusal.ts'
import { arithmetic, schemes } from './submissions.ts'

const SERVER = 'http://127.0.0.1:8190/'
const MAIL = 'svc-keyshare.keyshare.mail'
const BASE = 'https://svc.example'
const STAMPER = generateKeyPairSync('ed25519')

/** A signed message that answers the session of `judge`. */
function signed(input: Case, change: Partial<SignedMessage> = {}): SignedMessage {
  const { message, nonce } = toCheck(input)
  return { ...message, version: 2, nonce, context: 1n, message: 'I agree', timestamp: null, ...change }
}

/** Adds a timestamp with the server's key for the unchanged proofs. */
function stamped(
  message: SignedMessage,
  timeSec = NOW_SEC,
  key: KeyObject = STAMPER.privateKey,
): SignedMessage {
  const known = knownProofs(message.proofs, schemes) ?? []
  const proofs = known.map(({ proof: { A, aDisclosed: disclosed }, type, key }) => ({
    A,
    disclosed,
    key,
    attributeCount: type.attributes.length,
  }))
  const nonce = timestampNonce({ message: message.message, version: message.version, proofs }, arithmetic)
  const publicKey = STAMPER.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const signature = signTimestamp(timeSec, nonce, key)
  const serverUrl = 'http://elsewhere.example/'
  return {
    ...message,
    timestamp: { timeSec, serverUrl, alg: 'ed25519', signature, publicKey, hashing: null },
  }
}

type Setting = {
  readonly isRight?: boolean
  readonly isTrusted?: boolean
  readonly known?: Schemes
  readonly nowSec?: number
}
type Seen = {
  readonly judgement: Judgement
  readonly asked: readonly string[]
  readonly lists: readonly ProofList[]
}

async function check(message: SignedMessage, input: Case = YES, setting: Setting = {}): Promise<Seen> {
  const { isRight = true, isTrusted = true, known = schemes, nowSec = NOW_SEC } = setting
  const { request, nonce, nonRevocation, longValues } = toCheck(input)
  const asked: string[] = []
  const lists: ProofList[] = []
  const services = {
    verify: async (list: ProofList) => lists.push(list) > 0 && isRight,
    isTrustedStamp: async (server: string) => asked.push(server) > 0 && isTrusted,
    timestampNonce: async (stamped: StampedMessage) => timestampNonce(stamped, arithmetic),
  }
  const given: SignatureToCheck = {
    request: { ...request, message: 'I agree' },
    message,
    nonce,
    nowSec,
    schemes: known,
    contextBase: BASE,
    nonRevocation,
    longValues,
  }
  return { judgement: await checkSignature(given, services), asked, lists }
}

async function statusOf(message: SignedMessage, input?: Case, setting?: Setting): Promise<string> {
  return (await check(message, input, setting)).judgement.proofStatus
}

function withServers(server: (id: string) => string): Schemes {
  return {
    ...schemes,
    scheme(id) {
      const scheme = schemes.scheme(id)
      return scheme && { ...scheme, timestampServer: server(id) }
    },
  }
}

const Signature = suite('the judgement of a signed message')

Signature(
  'the message is judged against the request, and the result contains it unchanged, as JSON',
  async () => {
    const message = signed(YES)
    const { judgement } = await check(message)
    const { signature, ...rest } = judgement
    assert.equal([rest.proofStatus, rest.disclosed?.[0]?.[0]?.rawvalue], ['VALID', 'yes'])
    assert.equal(signature, restoreJson(writeJson(signedMessage(message, BASE))))
    assert.equal(signature, JSON.parse(JSON.stringify(signature)))
  },
)

Signature('its proofs are verified as those of a signature, with the effective nonce', async () => {
  for (const message of [signed(YES), stamped(signed(YES))]) {
    const [list] = (await check(message)).lists
    const nonce = signatureNonce(5n, 'I agree', message.timestamp?.signature ?? null)
    assert.equal([list?.isSignature, list?.context, list?.nonce], [true, 1n, nonce])
    assert.equal([list?.disclosures.length, list?.commitments], [1, []])
  }
})

Signature(
  'without any proof it is INVALID for every request (spec/decisions#d6), before any other check',
  async () => {
    for (const message of [signed(YES, { proofs: [] }), signed(YES, { proofs: [], message: 'else' })]) {
      const { judgement, asked, lists } = await check(stamped(message))
      assert.is(judgement.proofStatus, 'INVALID')
      assert.equal([asked, lists], [[], []])
      assert.ok(judgement.signature)
    }
  },
)

Signature('another context, nonce or message is UNMATCHED_REQUEST before any proof is verified', async () => {
  for (const change of [
    { context: 2n },
    { context: 0n },
    { nonce: 6n },
    { message: 'I agree.' },
    { message: '' },
  ]) {
    const { judgement, asked, lists } = await check(stamped(signed(YES, change)))
    assert.is(judgement.proofStatus, 'UNMATCHED_REQUEST')
    assert.equal([asked, lists], [[], []])
    assert.equal(Object(judgement.signature).message, change.message ?? 'I agree')
    assert.is(judgement.disclosed, undefined)
  }
})

Signature(
  'INVALID: wrong proofs, a range proof, two instances of a singleton, and an unknown type',
  async () => {
    assert.is(await statusOf(signed(YES), YES, { isRight: false }), 'INVALID')
    assert.is(await statusOf(signed(YES, { hasUncheckedParts: true })), 'INVALID')
    const registration = { type: 'svc-demo.gov.registration' }
    assert.is(await statusOf(signed({ ...YES, proofs: [registration, registration] })), 'INVALID')
    assert.is(await statusOf(signed({ ...YES, proofs: [{ type: 'svc-demo.gov.nope' }] })), 'INVALID')
  },
)

Signature('an unknown key, or an index far beyond the proofs, is a remote error', async () => {
  await refusedWith(() => check(signed({ ...YES, proofs: [{ keyCounter: 7 }] })), UnknownPublicKeyError)
  await refusedWith(() => check(signed({ ...YES, indices: [[[2, 4]]] })), ExceptionError)
})

Signature('attributes that were not requested are EXTRA', async () => {
  const proofs = [{ disclosed: { 4: 'yes', 2: 'A.' } }]
  const { judgement } = await check(signed({ ...YES, proofs }))
  assert.equal(
    judgement.disclosed?.map(list => list?.map(each => [each.rawvalue, each.status])),
    [[['yes', 'PRESENT']], [['A.', 'EXTRA']]],
  )
})

Signature(
  'skipExpiryCheck applies (spec/decisions#d7); MISSING_ATTRIBUTES has precedence over EXPIRED',
  async () => {
    const proofs = [
      { signedAtSec: NOW_SEC - 9 * WEEK_SEC, expiresAtSec: NOW_SEC - WEEK_SEC, disclosed: { 4: 'yes' } },
    ]
    const expired = { ...YES, proofs }
    const skipping = { ...expired, members: { skipExpiryCheck: [IDCARD] } }
    assert.is(await statusOf(signed(expired), expired), 'EXPIRED')
    assert.is(await statusOf(signed(skipping), skipping), 'VALID')
    assert.is(await statusOf(signed({ ...expired, indices: [[]] }), expired), 'MISSING_ATTRIBUTES')
  },
)

Signature.run()

const Stamp = suite('the timestamp of a signed message')

Stamp(
  "the server of the credentials' scheme is asked whether it trusts the key, and the result names it",
  async () => {
    const { judgement, asked } = await check(stamped(signed(YES)))
    assert.is(judgement.proofStatus, 'VALID')
    assert.equal(asked, [SERVER])
    assert.is(Object(judgement.signature).timestamp.ServerUrl, SERVER)
  },
)

Stamp(
  'an untrusted key is INVALID_TIMESTAMP before the proofs are verified; the result keeps the sent ServerUrl',
  async () => {
    const { judgement, lists } = await check(stamped(signed(YES)), YES, { isTrusted: false })
    assert.is(judgement.proofStatus, 'INVALID_TIMESTAMP')
    assert.equal(lists, [])
    assert.is(Object(judgement.signature).timestamp.ServerUrl, 'http://elsewhere.example/')
    assert.is(judgement.disclosed, undefined)
  },
)

Stamp(
  'INVALID_TIMESTAMP without asking the server: another key, other proofs, another message or time',
  async () => {
    const right = stamped(signed(YES))
    const { timestamp, proofs } = right
    if (timestamp === null) throw new Error('expected a timestamp')
    const wrong: readonly SignedMessage[] = [
      stamped(signed(YES), NOW_SEC, generateKeyPairSync('ed25519').privateKey),
      { ...right, proofs: [...proofs, ...proofs] },
      { ...right, version: 1 },
      { ...right, timestamp: { ...timestamp, timeSec: NOW_SEC + 1 } },
      { ...right, timestamp: { ...timestamp, alg: 'xmssmt' } },
      { ...right, timestamp: { ...timestamp, signature: new Uint8Array(64) } },
      { ...right, timestamp: { ...timestamp, signature: new Uint8Array(0), publicKey: new Uint8Array(0) } },
      { ...right, timestamp: { ...timestamp, hashing: { hash: 'shake256', prefix: new Uint8Array(0) } } },
    ]
    for (const message of wrong) {
      const { judgement, asked, lists } = await check(message)
      assert.is(judgement.proofStatus, 'INVALID_TIMESTAMP')
      assert.equal([asked, lists], [[], []])
    }
  },
)

Stamp(
  'two schemes must have the same timestamp server; different ones, or none, are INVALID_TIMESTAMP',
  async () => {
    const proofs = [{ disclosed: { 4: 'yes' } }, { type: MAIL }]
    const message = stamped(signed({ ...YES, proofs }))
    assert.is(await statusOf(message), 'VALID')
    for (const server of [
      (id: string) => `http://${id}/`,
      () => '',
      (id: string) => (id === 'svc-demo' ? SERVER : ''),
    ]) {
      const { judgement, asked } = await check(message, YES, { known: withServers(server) })
      assert.is(judgement.proofStatus, 'INVALID_TIMESTAMP')
      assert.equal(asked, [])
    }
  },
)

Stamp('with an unknown credential type it is INVALID_TIMESTAMP', async () => {
  const message = signed({ ...YES, proofs: [{ type: 'svc-demo.gov.nope' }] })
  assert.is(await statusOf(stamped(message)), 'INVALID_TIMESTAMP')
})

Stamp('expiry is judged at the time of the timestamp, or now if there is none', async () => {
  const expiresAtSec = NOW_SEC - WEEK_SEC
  const proofs = [{ type: NOTE, signedAtSec: NOW_SEC - 9 * WEEK_SEC, expiresAtSec, disclosed: { 2: 'x' } }]
  const input: Case = { disclose: [[[`${NOTE}.text`]]], proofs, indices: [[[0, 2]]] }
  assert.is(await statusOf(signed(input), input), 'EXPIRED')
  assert.is(await statusOf(signed(input), input, { nowSec: expiresAtSec }), 'VALID')
  assert.is(await statusOf(stamped(signed(input), expiresAtSec), input), 'VALID')
  assert.is(await statusOf(stamped(signed(input), expiresAtSec + 1), input), 'EXPIRED')
  const later = { nowSec: expiresAtSec }
  assert.is(await statusOf(stamped(signed(input), NOW_SEC), input, later), 'EXPIRED')
})

Stamp('the result names its server also if the proofs are wrong', async () => {
  const { judgement } = await check(stamped(signed(YES)), YES, { isRight: false })
  assert.is(judgement.proofStatus, 'INVALID')
  assert.is(Object(judgement.signature).timestamp.ServerUrl, SERVER)
})

Stamp.run()
