import { createHash, generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { bytesOf, fromBase64, integerOf } from '../../crypto/bytes.ts'
import {
  type StampedProof,
  signatureNonce,
  signTimestamp,
  type Timestamp,
  timestampNonce,
  verifyTimestamp,
} from '../../crypto/timestamp.ts'
import { suite } from '../suite.ts'
import { openssl } from './proofs.ts'
import { keyOf, type RecordedProof, readProof, readVectors } from './vectors.ts'

type RecordedStamp = {
  readonly Time: number
  readonly ServerUrl: string
  readonly Sig: { readonly Alg: string; readonly Data: string; readonly PublicKey: string }
}
type SignedMessage = {
  readonly nonce: string
  readonly message: string
  readonly signature: readonly RecordedProof[]
  readonly timestamp: RecordedStamp | null
}
type Note = Record<
  'withTimestamp' | 'withoutTimestamp',
  { readonly keys: readonly string[]; readonly effectiveNonce: string; readonly signedMessage: SignedMessage }
>
const note = readVectors<{ signature: Note }>('cryptography-vectors.json').signature

function stampOf({ timestamp }: SignedMessage): Timestamp {
  if (timestamp === null) throw new Error('expected a timestamp')
  const { Time, ServerUrl, Sig } = timestamp
  return {
    timeSec: Time,
    serverUrl: ServerUrl,
    alg: Sig.Alg,
    signature: Buffer.from(Sig.Data, 'base64'),
    publicKey: Buffer.from(Sig.PublicKey, 'base64'),
    hashing: null,
  }
}

function stampedProofs({ keys, signedMessage }: Note['withTimestamp'], attributeCount = 3): StampedProof[] {
  return signedMessage.signature.map((recorded, i) => {
    const proof = readProof(recorded)
    if (proof === undefined) throw new Error('expected a whole proof')
    return { A: proof.A, disclosed: proof.aDisclosed, key: keyOf(keys[i] ?? '').publicKey, attributeCount }
  })
}

const Nonces = suite('nonces of attribute-based signatures (spec/cryptography#8.1)')

Nonces('the example of the specification, and its signed messages with and without a timestamp', () => {
  const example = 0x8578e5b1b584beaa7d40a3336a4d945d3e40092e373d8fab148f9beaa6892b47n
  assert.is(signatureNonce(42n, 'I owe you everything', null), example)
  for (const { signedMessage, effectiveNonce } of Object.values(note)) {
    const stamp = signedMessage.timestamp && stampOf(signedMessage).signature
    const { nonce, message } = signedMessage
    assert.is(signatureNonce(fromBase64(nonce), message, stamp), fromBase64(effectiveNonce))
  }
})
Nonces('nonce, message and timestamp each change the result', () => {
  const stamp = new Uint8Array(64)
  const all = [
    signatureNonce(1n, 'a', null),
    signatureNonce(2n, 'a', null),
    signatureNonce(1n, 'b', null),
    signatureNonce(1n, 'a', stamp),
    signatureNonce(1n, 'a', stamp.fill(1)),
  ]
  assert.is(new Set(all).size, all.length)
})
Nonces.run()

const Timestamps = suite('timestamps of signed messages (spec/cryptography#8.3)')

const { withTimestamp } = note
const stamp = stampOf(withTimestamp.signedMessage)
const { message } = withTimestamp.signedMessage
const proofs = stampedProofs(withTimestamp)
const nonceOf = (part: Partial<Parameters<typeof timestampNonce>[0]> = {}): Uint8Array =>
  timestampNonce({ message, version: 2, proofs, ...part }, openssl)

Timestamps('the stamp of the specification is right for its message and proofs, with both backends', () => {
  assert.ok(verifyTimestamp(stamp, nonceOf()))
  const [first, second] = [openssl, bigintArithmetic].map(each =>
    timestampNonce({ message, version: 2, proofs }, each),
  )
  assert.equal(first, second)
})
Timestamps('another message, proof, order or version gives another number', () => {
  const others = [
    nonceOf({ message: 'I agree' }),
    nonceOf({ proofs: proofs.toReversed() }),
    nonceOf({ proofs: proofs.slice(1) }),
    nonceOf({ proofs: proofs.map(proof => ({ ...proof, A: proof.A + 1n })) }),
    nonceOf({ proofs: proofs.map(proof => ({ ...proof, disclosed: new Map([[1, 5n]]) })) }),
    nonceOf({ version: 1 }),
  ]
  for (const other of others) assert.not.ok(verifyTimestamp(stamp, other))
})
Timestamps('only attributes of the credential type take part, none beyond it or without a base', () => {
  const [first] = proofs
  assert.ok(first)
  const more = new Map([...first.disclosed, [first.attributeCount + 2, 9n], [99, 9n], [-1, 9n]])
  for (const version of [1, 2] as const) {
    assert.equal(
      nonceOf({ version, proofs: [{ ...first, disclosed: more }] }),
      nonceOf({ version, proofs: [first] }),
    )
    const beyond = { ...first, disclosed: more, attributeCount: 200 }
    assert.is(nonceOf({ version, proofs: [beyond] }).length, 32)
  }
})
Timestamps('version 1 lists each disclosed value in its place and 0 in the others', () => {
  const { publicKey: key } = keyOf('svc-demo.fast-0')
  const proof = {
    A: 255n,
    disclosed: new Map([
      [1, 7n],
      [3, 128n],
    ]),
    key,
    attributeCount: 2,
  } as const
  const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
  const values = '300d' + '020100' + '020107' + '020100' + '02020080'
  const body = `3004020200ff0420${sha256('hello')}300f${values}`
  const der = Buffer.from(`30${(body.length / 2).toString(16)}${body}`, 'hex')
  const made = timestampNonce({ message: 'hello', version: 1, proofs: [proof] }, openssl)
  assert.is(Buffer.from(made).toString('hex'), sha256(der))
})
Timestamps('long values enter the product of version 2 as their hash, as in every exponent', () => {
  const { publicKey: key } = keyOf('svc-demo.fast-0')
  const long = 2n ** 700n + 3n
  const hashed = integerOf(createHash('sha256').update(bytesOf(long)).digest())
  const nonceFor = (value: bigint): Uint8Array =>
    nonceOf({ proofs: [{ A: 1n, disclosed: new Map([[2, value]]), key, attributeCount: 1 }] })
  assert.equal(nonceFor(long), nonceFor(hashed))
})

const pair = generateKeyPairSync('ed25519')
const rawKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const own = (part: Partial<Timestamp> = {}): Timestamp => ({
  timeSec: 1_800_000_000,
  serverUrl: '',
  alg: 'ed25519',
  signature: signTimestamp(1_800_000_000, nonceOf(), pair.privateKey),
  publicKey: rawKey,
  hashing: null,
  ...part,
})

Timestamps(
  'a timestamp of our own server is valid; another time, key, signature, nonce or algorithm is not',
  () => {
    assert.ok(verifyTimestamp(own(), nonceOf()))
    assert.not.ok(verifyTimestamp(own(), nonceOf({ message: 'another' })))
    const changed: Partial<Timestamp>[] = [
      { timeSec: 1_800_000_001 },
      { timeSec: -1 },
      { timeSec: 0.5 },
      { timeSec: Number.NaN },
      { timeSec: 2 ** 60 },
      { publicKey: stamp.publicKey },
      { publicKey: rawKey.subarray(1) },
      { publicKey: new Uint8Array(32).fill(0xff) },
      { publicKey: new Uint8Array(0) },
      { signature: own().signature.toReversed() },
      { signature: new Uint8Array(64) },
      { signature: new Uint8Array(63) },
      { signature: new Uint8Array(0) },
      { alg: 'xmssmt' },
      { alg: 'Ed25519' },
    ]
    for (const part of changed) assert.not.ok(verifyTimestamp(own(part), nonceOf()))
  },
)
Timestamps('with hashing, 64 bytes of SHAKE-256 of prefix and nonce are signed in place of the nonce', () => {
  const prefix = Buffer.from('prefix')
  const hashed = createHash('shake256', { outputLength: 64 }).update(prefix).update(nonceOf()).digest()
  const signature = signTimestamp(1_800_000_000, hashed, pair.privateKey)
  const hashing = { hash: 'shake256', prefix }
  assert.ok(verifyTimestamp(own({ signature, hashing }), nonceOf()))
  assert.not.ok(
    verifyTimestamp(own({ signature, hashing: { ...hashing, prefix: new Uint8Array(6) } }), nonceOf()),
  )
  assert.not.ok(verifyTimestamp(own({ signature }), nonceOf()))
  assert.not.ok(verifyTimestamp(own({ hashing }), nonceOf()))
  assert.not.ok(verifyTimestamp(own({ signature, hashing: { ...hashing, hash: 'sha256' } }), nonceOf()))
})
Timestamps.run()
