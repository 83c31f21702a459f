import { createPrivateKey, randomBytes, sign } from 'node:crypto'
import * as assert from 'uvu/assert'
import { bytesOf, integerOf } from '../../crypto/bytes.ts'
import { writeCbor } from '../../crypto/cbor.ts'
import {
  chainEvents,
  eventHash,
  openAccumulator,
  type RevocationEvent,
  type RevocationUpdate,
  type SignedAccumulator,
  signAccumulator,
  verifyUpdate,
} from '../../crypto/revocation/accumulator.ts'
import { openIssuanceRecord, signIssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import { readSigned, signBytes } from '../../crypto/revocation/signed-bytes.ts'
import { suite } from '../suite.ts'
import { accumulator, initial, key, privateKey, refused, signed, update } from './revocation-data.ts'
import { keyOf } from './vectors.ts'

const withEvents = (events: readonly RevocationEvent[]): RevocationUpdate => ({ ...update, events })

const Updates = suite('updates: what is refused (spec/cryptography#14.1)')

Updates('a last event with another index than the accumulator, though signature and hashes are right', () => {
  const e = update.events.map(event => event.e)
  const last = chainEvents(1, initial.events[0]?.parentHash ?? new Uint8Array(), e).at(-1)
  if (last === undefined) throw new Error('expected an event')
  const events = chainEvents(1, initial.events[0]?.parentHash ?? new Uint8Array(), e)
  const forged = { signed: signed({ eventHash: eventHash(last) }), events }
  refused(() => verifyUpdate(forged, key), /^last event: expected index 3, got 4$/)
  assert.is(
    verifyUpdate({ ...forged, signed: signed({ eventHash: eventHash(last), index: 4 }) }, key).index,
    4,
  )
})
Updates('events that do not follow each other, one that is missing, twice or changed', () => {
  const [zero, one, two, three] = update.events
  if (!zero || !one || !two || !three) throw new Error('expected four events')
  assert.is(verifyUpdate(withEvents([two, three]), key).index, 3)
  assert.is(verifyUpdate(withEvents([]), key).index, 3)
  const follow = /^events: expected each event to follow its predecessor/
  refused(() => verifyUpdate(withEvents([one, three]), key), follow)
  refused(() => verifyUpdate(withEvents([one, two, two, three]), key), follow)
  refused(() => verifyUpdate(withEvents([two, one, three]), key), follow)
  refused(() => verifyUpdate(withEvents([one, { ...two, e: two.e + 2n }, three]), key), follow)
  refused(() => verifyUpdate(withEvents([one, { ...two, parentHash: one.parentHash }, three]), key), follow)
  refused(() => verifyUpdate(withEvents([one, two]), key), /^last event: expected index 3, got 2$/)
  const signs = /^last event: expected the one that the accumulator signs/
  refused(() => verifyUpdate(withEvents([{ ...three, e: three.e + 2n }]), key), signs)
  refused(() => verifyUpdate(withEvents([{ ...three, parentHash: two.parentHash }]), key), signs)
})
Updates('an accumulator of another key, signed by another, or out of range', () => {
  const other = keyOf('svc-demo.uni-0')
  refused(() => openAccumulator({ ...update.signed, keyCounter: 1 }, key), /expected key counter 0, got 1/)
  refused(() => openAccumulator(update.signed, { ...key, counter: 1 }), /expected key counter 1, got 0/)
  refused(() => openAccumulator(update.signed, other.publicKey), /signature of the issuer/, true)
  const { revocation, ...plain } = key
  refused(() => openAccumulator(update.signed, plain), /expected a key that supports revocation/)
  for (const nu of [0n, key.n, key.n + 1n])
    refused(() => openAccumulator(signed({ nu }), key), /from 1 to n - 1/)
  refused(() => openAccumulator(signed({ eventHash: new Uint8Array(34) }), key), /by SHA-256/)
  refused(() => openAccumulator(signed({ eventHash: accumulator.eventHash.slice(0, 33) }), key), /by SHA-256/)
  const { ecdsa, ...withoutEcdsa } = privateKey
  assert.throws(() => signAccumulator(accumulator, withoutEcdsa, 0), /supports revocation/)
})
Updates.run()

const Signatures = suite('signatures of revocation data: one form alone (spec/cryptography#14.1)')

type Halves = { readonly r: Uint8Array; readonly s: Uint8Array }
const integer = (bytes: Uint8Array): Buffer => Buffer.concat([Uint8Array.of(2, bytes.length), bytes])
const positive = (bytes: Uint8Array): Uint8Array =>
  (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Uint8Array.of(0), bytes])
const sequence = (...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(0x30, body.length), body])
}
function halvesOf(der: Uint8Array): Halves {
  const lengthOfR = der[3] ?? 0
  const number = (bytes: Uint8Array): Uint8Array => bytesOf(integerOf(bytes))
  return { r: number(der.subarray(4, 4 + lengthOfR)), s: number(der.subarray(6 + lengthOfR)) }
}
/** A signature whose r has its top bit set. */
function signatureOf(message: Uint8Array): Halves {
  const ecdsa = createPrivateKey({
    key: Buffer.from(privateKey.ecdsa ?? '', 'base64'),
    format: 'der',
    type: 'sec1',
  })
  for (;;) {
    const halves = halvesOf(sign('sha256', message, ecdsa))
    if (halves.r.length === 32 && (halves.r[0] ?? 0) >= 0x80) return halves
  }
}
const { Msg } = readSigned(update.signed.data, 'accumulator')
const withSignature = (Sig: Uint8Array): SignedAccumulator => ({
  ...update.signed,
  data: writeCbor({ Msg, Sig }),
})

Signatures('trailing bytes, three integers, negative or longer ones, and long lengths are refused', () => {
  const { r, s } = signatureOf(Msg)
  const [R, S] = [integer(positive(r)), integer(positive(s))]
  assert.is(openAccumulator(withSignature(sequence(R, S)), key).index, 3)
  const zero = Uint8Array.of(0)
  const longer = (bytes: Uint8Array): Buffer => integer(Buffer.concat([zero, positive(bytes)]))
  const body = Buffer.concat([R, S])
  for (const [title, Sig] of Object.entries({
    'a byte behind it': Buffer.concat([sequence(R, S), zero]),
    'three integers': sequence(R, S, integer(Uint8Array.of(1))),
    'one integer': sequence(R),
    'a byte within': sequence(R, S, zero),
    'negative r': sequence(integer(r), S),
    'a zero before r': sequence(longer(r), S),
    'a zero before s': sequence(R, longer(s)),
    'a length of two bytes': Buffer.concat([Uint8Array.of(0x30, 0x81, body.length), body]),
    'an indefinite length': Buffer.concat([Uint8Array.of(0x30, 0x80), body, zero, zero]),
    'another tag': Buffer.concat([Uint8Array.of(0x31, body.length), body]),
    'r = 0': sequence(integer(zero), S),
    'no DER: r and s side by side': Buffer.concat([r, s]),
    nothing: new Uint8Array(0),
  })) {
    const isLong = Sig.length > 72
    const reason = isLong ? /bytes of at most 72/ : /signature of the issuer/
    assert.not.throws(() => refused(() => openAccumulator(withSignature(Sig), key), reason, !isLong), title)
  }
})
Signatures('a signature of another message is refused', () => {
  const { r, s } = signatureOf(Uint8Array.of(1))
  const Sig = sequence(integer(positive(r)), integer(positive(s)))
  refused(() => openAccumulator(withSignature(Sig), key), /signature of the issuer/, true)
})
Signatures.run()

const Cbor = suite('CBOR of revocation data: one form alone (spec/cryptography#14.1)')

/** Validly signed, for any message. */
const opened = (message: Uint8Array) => () =>
  openAccumulator({ data: signBytes(message, privateKey), keyCounter: 0 }, key)
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const nu = `624e75 41 05`
const index = '65496e646578'
const time = '6454696d65'
const hash = `694576656e7448617368 5822 ${Buffer.from(accumulator.eventHash).toString('hex')}`

Cbor('an accumulator as it is written', () => {
  assert.equal(opened(hex(`a4 ${nu} ${index} 03 ${time} 18c8 ${hash}`))(), {
    nu: 5n,
    index: 3,
    atSec: 200,
    eventHash: accumulator.eventHash,
  })
})
for (const [title, form] of Object.entries({
  'an indefinite map': `bf ${nu} ${index} 03 ${time} 18c8 ${hash} ff`,
  'indefinite bytes': `a4 624e75 5f 4105 ff ${index} 03 ${time} 18c8 ${hash}`,
  'keys in another order': `a4 ${index} 03 ${nu} ${time} 18c8 ${hash}`,
  'a key twice': `a4 ${nu} ${nu} ${time} 18c8 ${hash}`,
  'a key less': `a3 ${nu} ${index} 03 ${time} 18c8`,
  'a key more': `a5 ${nu} ${index} 03 ${time} 18c8 ${hash} 6158 00`,
  'another key': `a4 624e76 41 05 ${index} 03 ${time} 18c8 ${hash}`,
  'a key as bytes': `a4 424e75 41 05 ${index} 03 ${time} 18c8 ${hash}`,
  'a byte behind the end': `a4 ${nu} ${index} 03 ${time} 18c8 ${hash} 00`,
  'an integer that is longer than it needs to be': `a4 ${nu} ${index} 1803 ${time} 18c8 ${hash}`,
  'a length that is longer than it needs to be': `a4 624e75 5801 05 ${index} 03 ${time} 18c8 ${hash}`,
  'a count that is longer than it needs to be': `b804 ${nu} ${index} 03 ${time} 18c8 ${hash}`,
  'a negative index': `a4 ${nu} ${index} 22 ${time} 18c8 ${hash}`,
  'an index as a float': `a4 ${nu} ${index} f94200 ${time} 18c8 ${hash}`,
  'an index beyond 2^53': `a4 ${nu} ${index} 1b0020000000000000 ${time} 18c8 ${hash}`,
  'a time that is null': `a4 ${nu} ${index} 03 ${time} f6 ${hash}`,
  'a tag': `a4 624e75 c2 41 05 ${index} 03 ${time} 18c8 ${hash}`,
  'a number with zeros in front': `a4 624e75 42 0005 ${index} 03 ${time} 18c8 ${hash}`,
  'a number of more than 4096 bits': `a4 624e75 590201 ${'01'.padEnd(1026, '0')} ${index} 03 ${time} 18c8 ${hash}`,
  'lists in lists without an end': '81'.repeat(8_000),
  'maps in maps without an end': 'a1'.repeat(8_000),
  'a length beyond all memory': `a4 624e75 5b7fffffffffffffff 05`,
  'a count beyond all memory': 'bb7fffffffffffffff 624e75',
  nothing: '',
  'a reserved byte': '1c',
}))
  Cbor(`${title} is refused`, () => {
    refused(opened(hex(form)), /^accumulator: expected /)
    refused(() => openAccumulator({ data: hex(form), keyCounter: 0 }, key), /^accumulator: expected /)
  })
Cbor('data that is cut off at any byte is refused', () => {
  const { data } = update.signed
  for (let end = 0; end < data.length; end++)
    refused(
      () => openAccumulator({ ...update.signed, data: data.subarray(0, end) }, key),
      /^accumulator: expected/,
    )
})
Cbor('random bytes', () => {
  for (let i = 0; i < 300; i++)
    refused(() => openAccumulator({ data: randomBytes(i), keyCounter: 0 }, key), /^accumulator: expected/)
})
Cbor.run()

const Records = suite('issuance records (spec/cryptography#14.3, #14.7)')

const record = {
  revocationKey: 'bsn-1',
  credentialType: 'irma-demo.MijnOverheid.root',
  issuedAtNs: 1_583_765_731_750_425_000n,
  keyCounter: 2,
  e: 65_537n,
  validUntilNs: 1_599_490_531_000_000_000n,
  revokedAtNs: 0n,
}
const EXAMPLE =
  `a6 634b6579 6562736e2d31 684372656454797065 781b69726d612d64656d6f2e4d696a6e4f766572686569642e726f6f74
  66497373756564 1b15faaa8ab86bb1a8 69504b436f756e746572 02 6441747472 43010001 6a56616c6964556e74696c 1b16328829d9db1e00`.replaceAll(
    /\s/g,
    '',
  )

Records('are written as the specification shows, signed and read again', () => {
  const bytes = signIssuanceRecord(record, privateKey)
  assert.is(Buffer.from(readSigned(bytes, 'record').Msg).toString('hex'), EXAMPLE)
  assert.equal(openIssuanceRecord(bytes, key), record)
  const revoked = { ...record, revocationKey: 'zo\u00eb \u{1f600}', revokedAtNs: 5n }
  assert.equal(openIssuanceRecord(signIssuanceRecord(revoked, privateKey), key), revoked)
})
Records('a wrong signature and an unreadable record have different errors', () => {
  const stranger = keyOf('svc-demo.uni-0').privateKey
  refused(
    () => openIssuanceRecord(signIssuanceRecord(record, stranger), key),
    /signature of the issuer/,
    true,
  )
  refused(() => openIssuanceRecord(randomBytes(40), key), /^issuance record: expected/)
  const of = (text: string) => () => openIssuanceRecord(signBytes(hex(text), privateKey), key)
  refused(of(`${EXAMPLE}00`), /expected the end, got more/)
  refused(of(EXAMPLE.replace('a6', 'a7')), /expected string, got the end/)
  refused(of(EXAMPLE.replace('43010001', '5819ff'.padEnd(54, '0'))), /at most 196 bits/)
  refused(of(EXAMPLE.replace('6562736e2d31', '65ff736e2d31')), /expected UTF-8/)
  for (const e of [0n, 1n, 65_539n * 65_537n])
    refused(
      () => openIssuanceRecord(signIssuanceRecord({ ...record, e }, privateKey), key),
      /expected the prime of a credential, got another number/,
    )
})
Records.run()
