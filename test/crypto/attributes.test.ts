import { createHash } from 'node:crypto'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import {
  attributeExponent,
  decodeAttribute,
  decodeRandomBlind,
  encodeAttribute,
} from '../../crypto/attribute.ts'
import { bitLength, bytesOf, fromBase64, integerOf, toBase64 } from '../../crypto/bytes.ts'
import { credentialTypeHash, decodeMetadata, encodeMetadata } from '../../crypto/metadata.ts'
import { suite } from '../suite.ts'
import { encodeRandomBlind } from './random-blind.ts'
import { readVectors } from './vectors.ts'

const isRangeError =
  (message: RegExp) =>
  (error: Error): boolean =>
    error instanceof RangeError && message.test(error.message)

const Bytes = suite('integers as bytes and Base64 (spec/cryptography#4)')

Bytes('reading the written form gives the same integer, for every integer', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 600n }), x => {
      assert.is(integerOf(bytesOf(x)), x)
      assert.is(fromBase64(toBase64(x)), x)
      assert.is(bitLength(x), x === 0n ? 0 : x.toString(2).length)
    }),
  )
})
Bytes('0 is no bytes and the empty text', () => {
  assert.is(bytesOf(0n).length, 0)
  assert.is(toBase64(0n), '')
  assert.is(fromBase64(''), 0n)
})
Bytes('only the bytes of a view are read, not those around it in its buffer', () => {
  assert.is(integerOf(Uint8Array.of(9, 1, 2, 9).subarray(1, 3)), 258n)
})
Bytes('line breaks, leading zero bytes and pad bits that are not zero are accepted', () => {
  assert.is(fromBase64('AQ\r\nI=\n'), 258n)
  assert.is(fromBase64('AAEC'), 258n)
  assert.is(fromBase64('AR=='), 1n)
})
Bytes('other characters and wrong paddings are refused', () => {
  for (const text of ['AQ', 'AQ=', 'A===', '====', '==', 'A Q=', 'AQ-_', 'AQ==AQ==', '=AQ=', '\\/8='])
    assert.throws(() => fromBase64(text), isRangeError(/Base64 with padding/))
})
Bytes('a negative integer has no bytes', () => {
  assert.throws(() => bytesOf(-1n), isRangeError(/non-negative/))
  assert.throws(() => toBase64(-1n), isRangeError(/non-negative/))
  assert.throws(() => bitLength(-1n), isRangeError(/non-negative/))
})
Bytes.run()

type Vectors = {
  readonly strings: readonly {
    readonly value: string | null
    readonly encoded: string
    readonly metadataVersion: number
    readonly decoded: string | null
  }[]
  readonly metadata: readonly (MetadataCase &
    (
      | { readonly signingDate: number; readonly expiry: number; readonly metadata: string }
      | { readonly error: string }
    ))[]
}
type MetadataCase = {
  readonly credential: string
  readonly issuedAt: number
  readonly validity: number
  readonly keyCounter: number
  readonly metadataVersion: 2 | 3
}
const vectors = readVectors<Vectors>('crypto/attributes.json')

const Texts = suite('texts as attributes (spec/cryptography#5.1)')

Texts(
  'in version 3 every text without a leading NUL decodes to itself, and null differs from the empty text',
  () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const bytes = decodeAttribute(encodeAttribute(text), 3)
        assert.is(Buffer.from(bytes ?? []).toString('utf8'), text.replace(/^\0+/, ''))
      }),
    )
    assert.is(decodeAttribute(encodeAttribute(null), 3), null)
  },
)
Texts('version 2 cannot encode null', () => {
  assert.throws(() => encodeAttribute(null, 2), isRangeError(/got null/))
})
for (const { value, encoded, metadataVersion, decoded } of vectors.strings)
  Texts(`version ${metadataVersion}: ${JSON.stringify(value)} encodes and decodes as recorded`, () => {
    assert.is(toBase64(encodeAttribute(value, metadataVersion)), encoded)
    const bytes = decodeAttribute(fromBase64(encoded), metadataVersion)
    assert.is(bytes && Buffer.from(bytes).toString('utf8'), decoded)
  })
Texts('an attribute of up to Lm bits is its own exponent, a longer one is hashed', () => {
  const longest = 2n ** 256n - 1n
  assert.is(attributeExponent(longest, 256), longest)
  assert.is(
    attributeExponent(longest + 1n, 256),
    integerOf(
      createHash('sha256')
        .update(`01${'00'.repeat(32)}`, 'hex')
        .digest(),
    ),
  )
  assert.is(attributeExponent(longest + 1n, 512), longest + 1n)
})
Texts.run()

const RandomBlind = suite('random blind attributes as text (spec/cryptography#5.2)')

RandomBlind('every integer is decoded from its base 62 text; 0 is the empty text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), x => encodeRandomBlind(decodeRandomBlind(x)) === x),
  )
  assert.is(decodeRandomBlind(0n), '')
})
RandomBlind('digits are 0-9, a-z, A-Z, the first one the most significant', () => {
  assert.is(decodeRandomBlind(61n), 'Z')
  assert.is(decodeRandomBlind(62n), '10')
  assert.is(decodeRandomBlind(10n * 62n + 36n), 'aA')
})
RandomBlind.run()

const MetadataAttribute = suite('metadata attribute (spec/cryptography#5.3)')

for (const recorded of vectors.metadata) {
  const { credential, issuedAt, validity, keyCounter, metadataVersion } = recorded
  const title = `${credential}, version ${metadataVersion}, ${issuedAt} to ${validity}`
  const encode = (): bigint =>
    encodeMetadata({
      issuedAtSec: issuedAt,
      expiresAtSec: validity,
      keyCounter,
      credentialType: credential,
      version: metadataVersion,
    })
  if ('error' in recorded)
    MetadataAttribute(`${title}: refused as recorded`, () => {
      assert.throws(encode, isRangeError(new RegExp(recorded.error)))
    })
  else
    MetadataAttribute(`${title}: as recorded`, () => {
      assert.is(toBase64(encode()), recorded.metadata)
      assert.equal(decodeMetadata(fromBase64(recorded.metadata)), {
        version: metadataVersion,
        signingDateSec: recorded.signingDate,
        validityWeeks: (recorded.expiry - recorded.signingDate) / 604_800,
        expiresAtSec: recorded.expiry,
        keyCounter,
        credentialTypeHash: credentialTypeHash(credential),
      })
    })
}
MetadataAttribute('the example of the specification', () => {
  assert.equal(decodeMetadata(49043481832371145193140299771658227036446546573739245068n), {
    version: 2,
    signingDateSec: 1499904000,
    validityWeeks: 27,
    expiresAtSec: 1516233600,
    keyCounter: 2,
    credentialTypeHash: 'd6cb6a94f69de5e7697d2d4d6b553e0c',
  })
})
MetadataAttribute('too many bytes, and versions that do not exist, are refused', () => {
  assert.throws(() => decodeMetadata(2n ** 192n), isRangeError(/at most 24 bytes, got 25/))
  assert.throws(() => decodeMetadata(0n), isRangeError(/version 2 or 3, got 0/))
  assert.throws(() => decodeMetadata(4n << 184n), isRangeError(/version 2 or 3, got 4/))
})
MetadataAttribute('an expiry before the week of issue, and numbers beyond 65535, are refused', () => {
  const input = {
    issuedAtSec: 1_800_000_000,
    expiresAtSec: 1_900_000_000,
    keyCounter: 0,
    credentialType: 'a.b.c',
  }
  assert.throws(() => encodeMetadata({ ...input, expiresAtSec: 1_700_000_000 }), isRangeError(/expired date/))
  assert.throws(
    () => encodeMetadata({ ...input, keyCounter: 65_536 }),
    isRangeError(/key counter.*got 65536/),
  )
  assert.throws(() => encodeMetadata({ ...input, expiresAtSec: 5e10 }), isRangeError(/validity in weeks/))
})
MetadataAttribute.run()
