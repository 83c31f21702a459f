/** The last accepted and the first refused size of revocation data, and invalid witnesses for which the equation holds (spec/cryptography#14.1 to #14.4). */
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { writeCbor } from '../../crypto/cbor.ts'
import { readAccumulator, verifyUpdate } from '../../crypto/revocation/accumulator.ts'
import { openIssuanceRecord, signIssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import { readSigned } from '../../crypto/revocation/signed-bytes.ts'
import { isWitnessRight, updateWitness } from '../../crypto/revocation/witness.ts'
import { decodeUpdate, encodeUpdate } from '../../protocol/revocation-cbor.ts'
import { suite } from '../suite.ts'
import { openssl } from './proofs.ts'
import { accumulator, key, privateKey, refused, signed, update, witness } from './revocation-data.ts'

const order = privateKey.pPrime * privateKey.qPrime

const Sizes = suite('sizes of revocation data')

Sizes('the number of an accumulator has at most 4096 bits', () => {
  const largest = 2n ** 4096n - 1n
  assert.is(readAccumulator(signed({ nu: largest })).nu, largest)
  refused(() => readAccumulator(signed({ nu: largest + 1n })), /bytes of at most 512, got 513$/)
})

Sizes('an index and a time of 2^53 - 1 are accepted', () => {
  const index = Number.MAX_SAFE_INTEGER
  assert.is(readAccumulator(signed({ index })).index, index)
  assert.is(readAccumulator(signed({ atSec: index })).atSec, index)
})

Sizes(
  'the message that an issuer signs has at most 8,192 bytes, and with its signature at most 8,296',
  () => {
    const bytes = (length: number) => writeCbor({ Msg: new Uint8Array(length), Sig: new Uint8Array(72) })
    assert.is(readSigned(bytes(8_192), 'data').Msg.length, 8_192)
    refused(() => readSigned(bytes(8_193), 'data'), /bytes of at most 8192, got 8193$/)
    const updateOf = (length: number) =>
      encodeUpdate({ signed: { data: new Uint8Array(length), keyCounter: 0 }, events: [] })
    assert.is(decodeUpdate(updateOf(8_296)).signed.data.length, 8_296)
    refused(() => decodeUpdate(updateOf(8_297)), /bytes of at most 8296, got 8297$/)
  },
)

Sizes('an issuance record has at most 4,096 bytes of revocation key and 512 of credential type', () => {
  const record = {
    revocationKey: 'k',
    credentialType: 't',
    issuedAtNs: 1n,
    keyCounter: 0,
    e: 65_537n,
    validUntilNs: 2n,
    revokedAtNs: 0n,
  }
  const read = (changed: object) =>
    openIssuanceRecord(signIssuanceRecord({ ...record, ...changed }, privateKey), key)
  const [revocationKey, credentialType] = ['k'.repeat(4_096), 't'.repeat(512)]
  assert.equal(read({ revocationKey, credentialType }), { ...record, revocationKey, credentialType })
  refused(() => read({ revocationKey: `${revocationKey}k` }), /at most 4096, got 4097$/)
  refused(() => read({ credentialType: `${credentialType}t` }), /at most 512, got 513$/)
})
Sizes.run()

const Forged = suite('revocation data with a single fault')

Forged('a witness whose root is right, but whose e has more than 196 bits, or is 8', () => {
  const { nu } = readAccumulator(witness.signed)
  const larger = { ...witness, e: witness.e + order }
  assert.is(openssl.power(larger.u, larger.e, key.n), nu)
  assert.not.ok(isWitnessRight(openssl, larger, key))
  const eighth = bigintArithmetic.inverse(8n, order) ?? 0n
  const small = { ...witness, u: openssl.power(nu, eighth, key.n), e: 8n }
  assert.is(openssl.power(small.u, small.e, key.n), nu)
  assert.not.ok(isWitnessRight(openssl, small, key))
})

Forged('an event within an update that has the index of another one', () => {
  const events = update.events.map(event => (event.index === 1 ? { ...event, index: 2 } : event))
  refused(
    () => verifyUpdate({ ...update, events }, key),
    /^events: expected each event to follow its predecessor/,
  )
})

Forged('events that the issuer signed, but which do not lead to its accumulator', () => {
  const wrong = /^update: expected events that lead to the accumulator, got others$/
  const other = openssl.power(accumulator.nu, 2n, key.n)
  for (const nu of [other, privateKey.p]) // the second has no inverse
    refused(() => updateWitness(openssl, witness, { ...update, signed: signed({ nu }) }, key), wrong)
})

Forged('a witness of a number that is no prime cannot be updated', () => {
  const { nu } = readAccumulator(witness.signed)
  const e = witness.e * 3n // has an inverse modulo the order, so that a root exists
  const u = openssl.power(nu, bigintArithmetic.inverse(e, order) ?? 0n, key.n)
  refused(() => updateWitness(openssl, { ...witness, u, e }, update, key), /expected events that lead/)
})
Forged.run()
