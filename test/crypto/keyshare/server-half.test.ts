import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { chooseArithmetic } from '../../../crypto/bignum/choose.ts'
import { bitLength, fromBase64, toBase64 } from '../../../crypto/bytes.ts'
import { writeCbor } from '../../../crypto/cbor.ts'
import { respondAlone, respondTogether } from '../../../crypto/keyshare/respond.ts'
import {
  drawKeyshareSecret,
  drawRandomizer,
  isKeyshareSecret,
  powerOfSecret,
} from '../../../crypto/keyshare/secrets.ts'
import {
  challengeOf,
  hashUserInput,
  isCommittedInput,
  type UserInput,
} from '../../../crypto/keyshare/user-input.ts'
import { suite } from '../../suite.ts'

const arithmetic = chooseArithmetic('auto')
const backends = [arithmetic, chooseArithmetic('bigint')]

/** The key and the secrets of spec/keyshare-server#8.7. */
const n = (2n ** 127n - 1n) * (2n ** 89n - 1n)
const R0 = 16n
const KEY = { n, R: [R0] }
const mk = 1234567890123456789012345678901234567890n
const wk = 987654321098765432109876543210987654321n
const mu = 1111111111111111111111111111111n
const r = 2222222222222222222222222222222222222222n
const P = '5/8/8/+f/P/P/n9//////jABgBgAwAYAcAMB'
const Pcommit = 'AYAcAOAGADADgBv///////z/5/4/8/+f+P/I'
const nonce = 123456789n
const power = (base: bigint, exponent: bigint): bigint => arithmetic.power(base, exponent, n)

const INPUT: readonly UserInput[] = [
  {
    key: { issuer: 'test.test', counter: 3 },
    val: power(R0, mu + mk),
    comm: power(R0, r),
    otherComms: [],
  },
  { key: null, val: 424242n, comm: 131313n, otherComms: [7n] },
]
const challenge = (isSignature: boolean, input: readonly UserInput[] | null = INPUT): bigint =>
  challengeOf({ input, context: 1n, nonce, isSignature }, wk, () => KEY, arithmetic)

const Secrets = suite('secrets of a keyshare server (spec/keyshare-server#8.2)')

/** Random bytes that are all ones, and the requested counts. */
function ones(): { readonly bytes: (count: number) => Uint8Array; readonly asked: number[] } {
  const asked: number[] = []
  return { asked, bytes: count => new Uint8Array(count).fill(asked.push(count) > 0 ? 255 : 0) }
}

Secrets('m_k is uniform below 2^255: all bits of 32 bytes but one', () => {
  const { bytes, asked } = ones()
  assert.is(drawKeyshareSecret(bytes), 2n ** 255n - 1n)
  assert.equal(asked, [32])
  assert.ok(isKeyshareSecret(2n ** 255n - 1n))
  assert.not.ok(isKeyshareSecret(2n ** 255n))
})

Secrets('w_k has 640 bits, and 592 if any key of the request has 1024 bits', () => {
  const [short, long, longest] = [1024n, 2048n, 4096n].map(bits => ({ n: 2n ** bits - 1n }))
  if (!short || !long || !longest) return assert.unreachable()
  for (const [keys, bits] of [
    [[{ n: 2n ** 1024n }], 640],
    [[long], 640],
    [[long, longest], 640],
    [[short], 592],
    [[long, short, longest], 592],
  ] as const) {
    const { bytes, asked } = ones()
    assert.is(bitLength(drawRandomizer(keys, bytes)), bits)
    assert.equal(asked, [bits / 8])
  }
})

Secrets('P = R_0^m_k and Pcommit = R_0^w_k mod n, by both number backends', () => {
  for (const backend of backends) {
    assert.is(toBase64(powerOfSecret(KEY, mk, backend)), P)
    assert.is(toBase64(powerOfSecret(KEY, wk, backend)), Pcommit)
  }
})

Secrets('P and Pcommit are calculated only with the power for secret exponents', () => {
  const asked: bigint[][] = []
  const secretPower = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
    asked.push([base, exponent, modulus])
    return 5n
  }
  assert.is(powerOfSecret(KEY, mk, { secretPower }), 5n)
  assert.equal(asked, [[R0, mk, n]])
  assert.throws(
    () => powerOfSecret({ n, R: [] }, mk, { secretPower }),
    (error: Error) => error instanceof RangeError && /expected R_0/.test(error.message),
  )
})

const Response = suite('responses of a keyshare server (spec/keyshare-server#8.4, #8.5, #8.7)')

Response('R_0^s_response = Pcommit * P^c mod n, for a response of the server alone', () => {
  const proof = respondAlone(12345n, fromBase64(P), { mk, wk })
  assert.is(power(R0, proof.sResponse), (fromBase64(Pcommit) * power(fromBase64(P), proof.c)) % n)
  assert.equal(proof, { P: fromBase64(P), c: 12345n, sResponse: fromBase64('rvdp5Zv9x+1eMmL5VW7f19Vz') })
  assert.is(proof.sResponse, 15241728257895172825789517282578951728256371n)
})

for (const [isSignature, c, resp, together, alone] of [
  [
    false,
    'J51Lb+qi4x2JNaPV/OwEwTDpLE4P7k4pzF2/kmqiKso=',
    'AiuPe45lMidpvbdlAiAb+F0ofcy+GMV88AikYwrSfRA2QJaYTRqng4i7Q1CU',
    'j7lQ/fsmphK8tv7qgE7eJ0dPHVEXN807OdsDCLE9rD1ZtyWCX0nl4Mg67LC/c1r5',
    'j7lQ+8+XKoRXhNeAwpd5JSczJPPuugB9IRWGGKiZSTKHOhVMHrNNk62TaSgEMApl',
  ],
  [
    true,
    'JhqlCpibInwdU98S1I09R6NvNvLothmp3cSPaImEqK8=',
    'AhZhBz98pgvol0ULA5ulIO1zYB7E+dc3UrjcWNSrT3K1uYJ5AlM83uD+8UKX',
    'ij6GCPBor9SHqeeGEgyUO/9c4FgcOjjEtRV5adrIASUvz4ZRFyGtTDNqvRxzMoTW',
    'ij6GBtoHqJULA9udeseJOGO3v2qo2hn/uz5CFyHrqFCEgBObXZ80SeAt3jt0QUI/',
  ],
] as const)
  Response(
    `R_0^s_response = val^c * comm * R_0^w_k mod n, together, ${isSignature ? 'for a signature' : 'without'}`,
    () => {
      const computed = challenge(isSignature)
      assert.is(toBase64(computed), c)
      assert.is(toBase64(r + computed * mu), resp)
      const proof = respondTogether(computed, r + computed * mu, { mk, wk })
      const [{ val, comm } = { val: 0n, comm: 0n }] = INPUT
      const right = (power(val, proof.c) * comm * power(R0, wk)) % n
      assert.is(power(R0, proof.sResponse), right)
      assert.equal(proof, { P: null, c: computed, sResponse: fromBase64(together) })
      assert.is(respondAlone(computed, 1n, { mk, wk }).sResponse, fromBase64(alone))
    },
  )

Response('a challenge of 256 bits is answered; a longer or negative one is refused', () => {
  const most = 2n ** 256n - 1n
  assert.is(respondAlone(most, 1n, { mk, wk }).sResponse, wk + most * mk)
  for (const c of [2n ** 256n, -1n])
    for (const respond of [respondAlone, respondTogether])
      assert.throws(() => respond(c, 1n, { mk, wk }), /challenge: expected .* at most 256 bits/)
})

Response('a negative number is refused, and never named', () => {
  const refused = (attempt: () => unknown) =>
    assert.throws(
      attempt,
      (error: Error) => error instanceof RangeError && !/\d{4}/.test(error.message.replace('256', '')),
    )
  refused(() => respondAlone(1n, 1n, { mk: -mk, wk }))
  refused(() => respondAlone(1n, 1n, { mk, wk: -wk }))
  refused(() => respondTogether(1n, -r, { mk, wk }))
})

const Input = suite('the input of the user (spec/keyshare-server#8.5)')

Input('its hash is that of the specification', () => {
  assert.is(
    Buffer.from(hashUserInput(INPUT)).toString('base64'),
    '9gi+C0jM0KAaYXLsQ8sddCPK8J+C2Z7lJVFEL3cOQyM=',
  )
})

const EXAMPLE: readonly UserInput[] = [
  { key: { issuer: 'test.test', counter: 3 }, val: 0x010203n, comm: 0n, otherComms: [] },
  { key: null, val: 255n, comm: 256n, otherComms: [7n, 70000n] },
]

Input('it is hashed as CBOR: members in order, absent ones left out, 0 without bytes', () => {
  assert.is(
    Buffer.from(hashUserInput(EXAMPLE)).toString('hex'),
    'ae4b6b9681bfe415a1f0eb45b7a29e7ac79c617c054159b4dbb1242712d4710f',
  )
  assert.is(
    Buffer.from(
      hashUserInput([
        { key: { issuer: 'test.test', counter: 3 }, val: 258n, comm: 65536n, otherComms: [] },
        { key: null, val: 5n, comm: 0n, otherComms: [7n, 300n] },
      ]),
    ).toString('hex'),
    '73f067a4dcae8342cc36218e9432d34456bd3c1e6e89fa0e2e4453c8a4650122',
  )
})

Input('an absent input is null, an empty one an empty list', () => {
  const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
  assert.is(Buffer.from(hashUserInput(null)).toString('hex'), sha256('f6'))
  assert.is(Buffer.from(hashUserInput([])).toString('hex'), sha256('80'))
  assert.is(challenge(false, null), challenge(false, []))
})

Input('a changed input does not match the hash that the app committed to', () => {
  const hash = hashUserInput(EXAMPLE)
  const [first, second] = EXAMPLE
  if (!first || !second) return assert.unreachable()
  assert.ok(isCommittedInput(EXAMPLE, hash))
  assert.not.ok(isCommittedInput(EXAMPLE, hash.slice(0, 31)))
  for (const changed of [
    null,
    [first],
    [second, first],
    [{ ...first, key: null }, second],
    [{ ...first, key: { issuer: 'test.test', counter: 4 } }, second],
    [{ ...first, key: { issuer: 'test.tesu', counter: 3 } }, second],
    [{ ...first, val: 0n }, second],
    [{ ...first, comm: 1n }, second],
    [first, { ...second, otherComms: [7n] }],
    [first, { ...second, otherComms: [70000n, 7n] }],
  ])
    assert.not.ok(isCommittedInput(changed, hash))
})

Input('members are in the order of the specification, for any order in memory', () => {
  const [first, second] = EXAMPLE
  if (!first || !second) return assert.unreachable()
  const { otherComms, comm, val, key } = first
  const other = [{ otherComms, comm, val, key: key && { counter: key.counter, issuer: key.issuer } }, second]
  assert.equal(hashUserInput(other), hashUserInput(EXAMPLE))
  assert.is(Buffer.from(writeCbor({ b: 1, a: null })).toString('hex'), 'a26162016161f6')
})

Input('each member changes the challenge: context, nonce, and the numbers of each proof', () => {
  const facts = { input: INPUT, context: 1n, nonce, isSignature: false }
  const [first, second] = INPUT
  if (!first || !second) return assert.unreachable()
  const changes = [
    facts,
    { ...facts, context: 2n },
    { ...facts, nonce: nonce + 1n },
    { ...facts, isSignature: true },
    { ...facts, input: [{ ...first, key: null }, second] },
    { ...facts, input: [{ ...first, val: 1n }, second] },
    { ...facts, input: [first, { ...second, comm: 1n }] },
    { ...facts, input: [first, { ...second, otherComms: [] }] },
  ]
  const challenges = changes.map(each => challengeOf(each, wk, () => KEY, arithmetic))
  assert.is(new Set(challenges).size, changes.length)
})

Input('the power of a key is calculated once for all proofs under the key', () => {
  let count = 0
  const secretPower = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
    count++
    return arithmetic.secretPower(base, exponent, modulus)
  }
  const other = { n: 2n ** 89n - 1n, R: [3n] }
  const keyOf = ({ counter }: { readonly counter: number }) => (counter === 3 ? KEY : other)
  const entry = (counter: number): UserInput => ({
    key: { issuer: 'test.test', counter },
    val: 1n,
    comm: 2n,
    otherComms: [],
  })
  const input = [entry(3), entry(3), entry(4), entry(3)]
  challengeOf({ input, context: 1n, nonce, isSignature: false }, wk, keyOf, { secretPower })
  assert.is(count, 2)
})

Input('the error that the caller throws for an unknown key is passed on', () => {
  const unknown = () => {
    throw new RangeError('unknown')
  }
  const facts = { input: INPUT, context: 1n, nonce, isSignature: false }
  assert.throws(() => challengeOf(facts, wk, unknown, arithmetic), /unknown/)
})

Secrets.run()
Response.run()
Input.run()
