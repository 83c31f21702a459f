/** The holder of a long value discloses its hash instead (spec/decisions#d25): the proof is right, but the hash is no value. @module */
import { isUtf8 } from 'node:buffer'
import * as assert from 'uvu/assert'
import { attributeExponent, decodeAttribute, encodeAttribute } from '../../crypto/attribute.ts'
import type { OwnedCredential } from '../../crypto/disclosure.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { checkStoredSignature } from '../../sessions/check-signature.ts'
import { hasHashedValue, type LongValues } from '../../sessions/hashed-values.ts'
import { suite } from '../suite.ts'
import {
  AGREED,
  commitmentBody,
  credential,
  disclosureBody,
  judgeIssuance,
  judgeSession,
  keyOf,
  type Message,
  NONCE,
  NOTE,
  NOW_SEC,
  prove,
  proveSignature,
  signatureBody,
} from './app.ts'
import { told } from './judge.ts'
import { arithmetic, schemes } from './submissions.ts'

const BASE = 'https://irma.app'
const TEXT = `${NOTE}.text`
const DISCLOSE = [[[TEXT]]]
const INDICES = [[{ cred: 0, attr: 2 }]]
/** The size of an attribute under a key of 1024 bits. */
const LM = 256

/** A text of more than 256 bits whose hash is an even number, or an odd one. */
function longText(remainder: bigint): string {
  for (let i = 0; ; i++) {
    const text = `suspended for fraud, see file number ${i}`
    if (attributeExponent(encodeAttribute(text), LM) % 2n === remainder) return text
  }
}
const LONG = [0n, 1n].map(longText)

/** The outcome of each kind of session, if value 2 of the first proof is disclosed unchanged, or as its exponent. */
type Kind = (owned: OwnedCredential, isHash: boolean, longValues?: LongValues) => Promise<string>

function withHash({ disclosures, ...rest }: Message, isHash: boolean): Message {
  const hashed = disclosures.map(proof => {
    const value = attributeExponent(proof.aDisclosed.get(2) ?? 0n, LM)
    return { ...proof, aDisclosed: new Map([...proof.aDisclosed, [2, value]]) }
  })
  return { ...rest, disclosures: isHash ? hashed : disclosures }
}

function signedText(owned: OwnedCredential, isHash: boolean): string {
  return signatureBody(withHash(proveSignature([{ credential: owned, disclosed: [2] }]), isHash), INDICES)
}

const KINDS: Readonly<Record<string, Kind>> = {
  async 'a disclosure'(owned, isHash, longValues = 'allow') {
    const body = disclosureBody(withHash(prove([{ credential: owned, disclosed: [2] }]), isHash), INDICES)
    const request = { '@context': `${BASE}/ld/request/disclosure/v2`, disclose: DISCLOSE }
    return (await judgeSession(body, request, { longValues })).told
  },
  async 'an issuance'(owned, isHash, longValues = 'allow') {
    const message = withHash(prove([{ credential: owned, disclosed: [2] }, { commitTo: NOTE }]), isHash)
    const body = commitmentBody(message, { indices: INDICES })
    const { told, checked } = await judgeIssuance(body, { types: [NOTE], disclose: [TEXT], longValues })
    assert.is(checked?.commitments === null, told !== 'VALID')
    return told
  },
  async 'a signature'(owned, isHash, longValues = 'allow') {
    const request = { '@context': `${BASE}/ld/request/signature/v2`, message: AGREED, disclose: DISCLOSE }
    const { told, checked } = await judgeSession(signedText(owned, isHash), request, { longValues })
    assert.ok(checked?.judgement.signature)
    return told
  },
  async 'a stored signature'(owned, isHash) {
    const facts = { text: signedText(owned, isHash), stampKeys: [], nowSec: NOW_SEC, schemes }
    const services = {
      verify: async (list: Parameters<typeof verifyProofs>[1]) => verifyProofs(arithmetic, list),
      timestampNonce: async () => assert.unreachable() as never,
    }
    return (await checkStoredSignature(facts, services)).proofStatus
  },
}

const Hashes = suite('a hash in place of a long value (spec/decisions#d25)')

for (const [kind, statusOf] of Object.entries(KINDS))
  Hashes(
    `in ${kind} the hash is INVALID, although the proof is right; the value itself is VALID`,
    async () => {
      for (const text of LONG) {
        const owned = credential(NOTE, [text, null])
        assert.is(await statusOf(owned, false), 'VALID')
        assert.is(await statusOf(owned, true), 'INVALID')
      }
    },
  )

for (const kind of ['a disclosure', 'an issuance', 'a signature'])
  Hashes(`in ${kind} the long value itself is INVALID if long_values is refuse`, async () => {
    assert.is(await KINDS[kind]?.(credential(NOTE, [LONG[0] ?? '', null]), false, 'refuse'), 'INVALID')
  })

Hashes('the proof that discloses the hash is right, so the arithmetic cannot detect it', () => {
  for (const text of LONG) {
    const owned = credential(NOTE, [text, null])
    const { disclosures } = withHash(prove([{ credential: owned, disclosed: [2] }]), true)
    const facts = { key: keyOf(NOTE), group: '.', attributeCount: 2, revocationIndex: null }
    const list = { commitments: [], context: 1n, nonce: NONCE, isSignature: false }
    const proofs = disclosures.map(proof => ({ proof, ...facts }))
    assert.ok(verifyProofs(arithmetic, { ...list, disclosures: proofs }))
  }
})

const Values = suite('which numbers count as values, and which as hashes (spec/decisions#d25)')

/** A value of that many bits, whose first byte is not text. */
const anyBytes = (bits: number): bigint => (0xffn << BigInt(bits - 8)) + 1n
const ofText = (bytes: Buffer): bigint => 2n * BigInt(`0x${bytes.toString('hex')}`) + 1n

/** The outcome of disclosing one value of the type, which was not requested. */
async function statusOf(
  value: bigint,
  { type = NOTE, index = 2, version = 3, longValues = 'allow' as LongValues } = {},
): Promise<unknown> {
  const proofs = [{ type, disclosed: { [index]: value }, version: version === 2 ? 2 : 3 } as const]
  const [status] = await told({ disclose: [[[type]]], proofs, indices: [[[0, 1]]], longValues })
  return status
}

Values('an even number is no value, except 0, which means an absent attribute', async () => {
  for (const value of [2n, 4n, 2n ** 191n]) assert.is(await statusOf(value), 'INVALID')
  for (const value of [0n, 1n, 3n]) assert.is(await statusOf(value), 'VALID')
})

Values('a value of more than 192 bits is UTF-8; a shorter one may have any bytes', async () => {
  assert.is(await statusOf(anyBytes(192)), 'VALID')
  assert.is(await statusOf(anyBytes(193)), 'INVALID')
  assert.is(await statusOf(encodeAttribute('é'.repeat(200))), 'VALID')
  assert.is(await statusOf(encodeAttribute('\u{1F600}'.repeat(6))), 'VALID')
})

Values('a text is valid UTF-8: no overlong form, no surrogate, nothing cut off', async () => {
  const start = Buffer.from('a text of thirty-two characters.')
  for (const end of [
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe2, 0x82],
  ])
    assert.is(await statusOf(ofText(Buffer.concat([start, Buffer.from(end)]))), 'INVALID')
  assert.is(await statusOf(ofText(Buffer.concat([start, Buffer.from([0xe2, 0x82, 0xac])]))), 'VALID')
})

Values(
  'a text of 193 to 256 bits has no control character, and no unassigned or private code point',
  async () => {
    const start = 'a text of twenty-five byte'
    for (const end of [
      '\0',
      '\n',
      '\t',
      '\u007f',
      '\u0085',
      '\ue000',
      '\u{f0000}',
      '\u0378',
      '\ufdd0',
      '\uffff',
    ])
      assert.is(await statusOf(encodeAttribute(start + end)), 'INVALID', JSON.stringify(end))
    for (const end of ['!', '\u00e9', '\u200d', '\ufeff', '\u{1f600}'])
      assert.is(await statusOf(encodeAttribute(start + end)), 'VALID', JSON.stringify(end))
  },
)

Values('a longer or a shorter text may have line breaks', async () => {
  assert.is(await statusOf(encodeAttribute('Street 1\n1234 AB Vlieland')), 'INVALID')
  assert.is(await statusOf(encodeAttribute('Street 1\n1234 AB Texel')), 'VALID')
  assert.is(await statusOf(encodeAttribute('Street 1\n1234 AB Vlieland\nThe Netherlands')), 'VALID')
})

Values('a hash that is UTF-8, of a text chosen for this, is INVALID: it has control characters', async () => {
  const text = 'a text that its holder chose 000013361587'
  const hash = attributeExponent(encodeAttribute(text), LM)
  assert.ok(isUtf8(decodeAttribute(hash, 3) ?? new Uint8Array()))
  assert.is(await statusOf(hash), 'INVALID')
})

Values('long_values: refuse accepts no text of 193 bits or more, because it may be a hash', async () => {
  const refuse = { longValues: 'refuse' } as const
  assert.is(await statusOf(encodeAttribute('a text of twenty-four b.'), refuse), 'VALID')
  assert.is(await statusOf(encodeAttribute('a text of twenty-five by.'), refuse), 'INVALID')
  assert.is(await statusOf(encodeAttribute('é'.repeat(200)), refuse), 'INVALID')
  assert.is(await statusOf(anyBytes(200), { type: 'svc-demo.fast.lot', index: 3, ...refuse }), 'VALID')
})

Values('a random blind attribute and the revocation attribute may be any number', async () => {
  for (const value of [2n, anyBytes(200)]) {
    assert.is(await statusOf(value, { type: 'svc-demo.fast.lot', index: 3 }), 'VALID')
    assert.is(await statusOf(value, { type: 'svc-demo.fast.badge', index: 2 }), 'VALID')
    assert.is(await statusOf(value, { type: 'svc-demo.fast.lot', index: 2 }), 'INVALID')
    assert.is(await statusOf(value, { type: 'svc-demo.fast.badge', index: 3 }), 'INVALID')
  }
})

Values('under metadata of version 2 every number is a value: its texts have no presence bit', async () => {
  for (const value of [2n, anyBytes(200)]) assert.is(await statusOf(value, { version: 2 }), 'VALID')
})

Values('a value of more than the Lm bits of its key is signed as its hash, a shorter one as it is', () => {
  const key = keyOf(NOTE)
  assert.not(hasHashedValue({ key, attributes: [1n, 2n ** 256n - 1n] }))
  assert.ok(hasHashedValue({ key, attributes: [1n, 2n ** 256n] }))
})

Hashes.run()
Values.run()
