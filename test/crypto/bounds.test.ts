/** Numbers at their bounds: the last accepted one, and the first refused one. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { leftPadded } from '../../crypto/bytes.ts'
import { hashCommit } from '../../crypto/challenge.ts'
import { findSignaturePrime, signCommitment, verifyCorrectness } from '../../crypto/issuance.ts'
import { respondAlone, respondTogether } from '../../crypto/keyshare/respond.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import { isListProper } from '../../crypto/proof-list.ts'
import { signTimestamp, verifyTimestamp } from '../../crypto/timestamp.ts'
import { suite } from '../suite.ts'
import { disclose, isValid, openssl } from './proofs.ts'
import { keyOf } from './vectors.ts'

const FAST = 'svc-demo.fast-0'
const { publicKey: key, privateKey } = keyOf(FAST)

const Bounds = suite('numbers at their bounds')

Bounds('bytes may fill exactly the length to which they are padded', () => {
  assert.equal([...leftPadded(Uint8Array.of(7, 8), 2, 'number')], [7, 8])
  assert.throws(() => leftPadded(Uint8Array.of(7, 8), 1, 'number'), /number: expected at most 1 bytes/)
})

Bounds('the numbers of metadata have 16 bits, and the refusal of a larger one has its name', () => {
  const input = { issuedAtSec: 0, expiresAtSec: 604_800, keyCounter: 65_535, credentialType: 'a.b.c' }
  assert.not.throws(() => encodeMetadata(input))
  for (const keyCounter of [-1, 1.5, 65_536])
    assert.throws(() => encodeMetadata({ ...input, keyCounter }), /key counter: expected an integer from 0/)
  const before = { ...input, issuedAtSec: -1 }
  assert.throws(() => encodeMetadata(before), /signing date in weeks: expected an integer from 0/)
})

Bounds('a keyshare server answers with numbers from 0 on', () => {
  const nothing = { mk: 0n, wk: 0n }
  assert.is(respondAlone(5n, 1n, nothing).sResponse, 0n)
  assert.is(respondTogether(5n, 0n, nothing).sResponse, 0n)
  assert.throws(() => respondTogether(5n, -1n, nothing), /response of the user/)
  for (const secrets of [
    { mk: -1n, wk: 9n },
    { mk: 1n, wk: -1n },
  ])
    assert.throws(() => respondAlone(5n, 1n, secrets), /secrets of a response/)
})

Bounds('256 proofs are accepted, 257 are refused', () => {
  const { disclosures, ...message } = disclose([[FAST]])
  const times = (count: number) => Array.from({ length: count }, () => disclosures).flat()
  assert.ok(isListProper({ ...message, disclosures: times(256) }))
  assert.not.ok(isListProper({ ...message, disclosures: times(257) }))
})

Bounds('a context of 0 is accepted', () => {
  assert.ok(isListProper({ ...disclose([[FAST]]), context: 0n }))
  const list = disclose([[FAST]])
  assert.ok(isValid(list) && !isValid({ ...list, context: 0n }), 'but is another context')
})

Bounds('a timestamp may have the time 0', () => {
  const { publicKey, privateKey: stampKey } = generateKeyPairSync('ed25519')
  const nonce = createHash('sha256').digest()
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const stamp = (timeSec: number) => ({
    timeSec,
    alg: 'ed25519',
    publicKey: raw,
    serverUrl: '',
    hashing: null,
    signature: signTimestamp(timeSec, nonce, stampKey),
  })
  assert.ok(verifyTimestamp(stamp(0), nonce))
})

const ATTRIBUTES = [2n ** 185n + 3n, 5n]
const e = findSignaturePrime(openssl, key.n, size => createHash('shake256', { outputLength: size }).digest())
const seeded = (size: number): Uint8Array =>
  createHash('shake256', { outputLength: size }).update('1').digest()

Bounds('an issuer proves its signature for a context and a nonce of 0, too', () => {
  const input = { key, privateKey, U: key.S, attributes: ATTRIBUTES, context: 0n, n2: 0n }
  const made = signCommitment(openssl, input, e, seeded)
  const given = { key, ...made, context: 0n, n2: 0n }
  assert.ok(verifyCorrectness(openssl, given))
  for (const wrong of [{ context: -1n }, { n2: -1n }])
    assert.not.ok(verifyCorrectness(openssl, { ...given, ...wrong }))
})

Bounds('a proof that is out of its bounds is refused before anything is calculated', () => {
  const made = signCommitment(
    openssl,
    { key, privateKey, U: key.S, attributes: ATTRIBUTES, context: 1n, n2: 9n },
    e,
    seeded,
  )
  const isCalculated = (proof: { readonly c?: bigint; readonly eResponse?: bigint }): boolean => {
    let powers = 0
    const power: typeof openssl.power = (...of) => {
      powers += 1
      return openssl.power(...of)
    }
    const given = { key, ...made, proof: { ...made.proof, ...proof }, context: 1n, n2: 9n }
    assert.not.ok(verifyCorrectness({ ...openssl, power }, given))
    return powers > 0
  }
  for (const within of [{ c: 0n }, { c: 2n ** 256n - 1n }, { eResponse: 0n }, { eResponse: key.n - 1n }])
    assert.ok(isCalculated(within))
  for (const beyond of [{ c: -1n }, { c: 2n ** 256n }, { eResponse: -1n }, { eResponse: key.n }])
    assert.not.ok(isCalculated(beyond))
})

Bounds('an A of 0 or n is no signature, though its powers fulfil the equation for any values', () => {
  for (const A of [0n, key.n]) {
    const c = hashCommit([1n, 0n, A, 9n, 0n], false)
    const proof = { c, eResponse: 1n }
    const given = { key, signature: { A, e, v: 1n }, proof, context: 1n, n2: 9n }
    assert.not.ok(verifyCorrectness(openssl, given))
  }
})

Bounds('an A beyond n is no signature, though the proof of its issuer is right', () => {
  const order = privateKey.pPrime * privateKey.qPrime
  const { signature } = signCommitment(
    openssl,
    { key, privateKey, U: key.S, attributes: ATTRIBUTES, context: 1n, n2: 9n },
    e,
    seeded,
  )
  const Q = openssl.power(signature.A, e, key.n)
  const d = openssl.inverse(e, order) ?? 0n
  const r = 12_345n
  const provedFor = (A: bigint): boolean => {
    const c = hashCommit([1n, Q, A, 9n, openssl.power(Q, r, key.n)], false)
    const proof = { c, eResponse: (((r - c * d) % order) + order) % order }
    return verifyCorrectness(openssl, { key, signature: { ...signature, A }, proof, context: 1n, n2: 9n })
  }
  assert.equal([provedFor(signature.A), provedFor(signature.A + key.n)], [true, false])
})

Bounds.run()
