/** The signed message (spec/interface#2.9, spec/cryptography#8.2 and #8.3): only its form. @module */
import * as assert from 'uvu/assert'
import { toBase64 } from '../../crypto/bytes.ts'
import { ExceptionError, MalformedInputError } from '../../protocol/errors.ts'
import { readJson, writeJson } from '../../protocol/json.ts'
import { parseSignedMessage, signedMessage } from '../../protocol/signed-message.ts'
import { suite } from '../suite.ts'
import { bodyText, recordedPosts } from './recorded.ts'

const Signed = suite('the signed message')

const BASE = 'https://irma.app'
const RECORDED = [
  'signature-1024',
  'signature-with-timestamp',
  'legacy-request-signature',
  ...['2.5', '2.6', '2.7'].map(version => `version-${version}-signature`),
]

const STAMP = {
  Time: 1795260840,
  ServerUrl: 'http://x/',
  Sig: { Alg: 'ed25519', Data: 'AQI=', PublicKey: 'Aw==' },
}
const MESSAGE = {
  '@context': `${BASE}/ld/signature/v2`,
  signature: null,
  indices: [],
  nonce: 'AQ==',
  context: 'AQ==',
  message: 'I agree',
  timestamp: STAMP,
}

function withMembers(members: object): string {
  return JSON.stringify({ ...MESSAGE, ...members })
}

function malformed(text: string, message: RegExp, base: string | null = BASE): void {
  assert.throws(
    () => parseSignedMessage(text, base),
    (error: Error) => error instanceof MalformedInputError && message.test(error.message),
    `${text.slice(0, 200)} -> ${message}`,
  )
}

Signed('every recorded signed message is read and written again to the byte', () => {
  const texts = recordedPosts(RECORDED, '/proofs').map(({ request }) => bodyText(request))
  assert.ok(texts.length >= RECORDED.length)
  for (const text of texts)
    assert.is(
      writeJson(signedMessage(parseSignedMessage(text, BASE), BASE)),
      writeJson(readJson(text)), // the recording has characters that the wire escapes
    )
})

Signed('texts longer than any session requests are refused, because they would be in the result', () => {
  const { Sig } = STAMP
  const long = '<'.repeat(2 ** 20 + 1)
  malformed(withMembers({ message: long }), /^message: expected at most 1048576 characters, got a string$/)
  for (const timestamp of [
    { ...STAMP, ServerUrl: long },
    { ...STAMP, Sig: { ...Sig, Alg: long } },
    { ...STAMP, Hashing: { Hash: long, Prefix: '' } },
  ])
    malformed(withMembers({ timestamp }), /^timestamp\..*: expected at most 2048 characters, got a string$/)
  assert.is(parseSignedMessage(withMembers({ message: long.slice(1) }), BASE).message, long.slice(1))
})

Signed('invalid signed messages of the right form are read, because later checks refuse them', () => {
  const texts = recordedPosts(['invalid-signatures'], '/proofs').map(({ request }) => bodyText(request))
  assert.ok(texts.length > 10)
  for (const text of texts) {
    const given = JSON.parse(text)
    const signature = given.signature.length === 0 ? null : given.signature
    assert.equal(JSON.parse(writeJson(signedMessage(parseSignedMessage(text, BASE), BASE))), {
      '@context': '',
      timestamp: null,
      ...given,
      signature,
    })
  }
})

Signed('all members of a timestamp are read, including its hash function', () => {
  const Hashing = { Hash: 'shake256', Prefix: '/w==' }
  const text = withMembers({ timestamp: { ...STAMP, Hashing } })
  const signed = parseSignedMessage(text)
  assert.equal(signed.timestamp, {
    timeSec: 1795260840,
    serverUrl: 'http://x/',
    alg: 'ed25519',
    signature: Buffer.from([1, 2]),
    publicKey: Buffer.from([3]),
    hashing: { hash: 'shake256', prefix: Buffer.from([255]) },
  })
  assert.is(writeJson(signedMessage(signed, BASE)), text)
})

Signed('a signed message without a timestamp is written with null', () => {
  for (const text of [withMembers({ timestamp: null }), withMembers({ timestamp: undefined })]) {
    const signed = parseSignedMessage(text)
    assert.is(signed.timestamp, null)
    assert.match(writeJson(signedMessage(signed, BASE)), /"timestamp":null}$/)
  }
})

/** @param value of the member; undefined removes it */
function readAndWritten(member: string, value: unknown): Record<string, unknown> {
  return JSON.parse(writeJson(signedMessage(parseSignedMessage(withMembers({ [member]: value })), BASE)))
}

Signed('a missing or null nonce, context or list of indices is written as null', () => {
  for (const member of ['nonce', 'context', 'indices'])
    for (const value of [undefined, null])
      assert.equal(readAndWritten(member, value), { ...MESSAGE, [member]: null })
  assert.equal(readAndWritten('indices', [null, []]), { ...MESSAGE, indices: [null, []] })
  assert.equal(readAndWritten('nonce', ''), { ...MESSAGE, nonce: '' })
})

Signed('a timestamp with a missing or null signature, or part of it, is read, and written with null', () => {
  const nothing = { Alg: '', Data: null, PublicKey: null }
  for (const Sig of [undefined, null, {}])
    assert.equal(readAndWritten('timestamp', { ...STAMP, Sig }).timestamp, { ...STAMP, Sig: nothing })
  for (const name of ['Data', 'PublicKey']) {
    const Sig = { ...STAMP.Sig, [name]: null }
    assert.equal(readAndWritten('timestamp', { ...STAMP, Sig }).timestamp, { ...STAMP, Sig })
  }
  assert.equal(readAndWritten('timestamp', {}).timestamp, { Time: 0, ServerUrl: '', Sig: nothing })
})

Signed('a nonce or context of more than 256 bits is malformed', () => {
  for (const name of ['nonce', 'context'] as const) {
    const read = (number: bigint) => parseSignedMessage(withMembers({ [name]: toBase64(number) }))[name]
    assert.is(read(2n ** 256n - 1n), 2n ** 256n - 1n)
    const tooLong = withMembers({ [name]: toBase64(2n ** 256n) })
    malformed(tooLong, new RegExp(`^${name}: expected at most 256 bits, got 257$`))
  }
})

Signed('a signed message without @context is of version 1, and is written with an empty one', () => {
  for (const context of [undefined, null, '']) {
    const signed = parseSignedMessage(withMembers({ '@context': context }), BASE)
    assert.is(signed.version, 1)
    assert.match(writeJson(signedMessage(signed, BASE)), /^{"@context":"","signature":null/)
  }
})

Signed('the whole @context is compared; outside of a session its base may be any', () => {
  const other = withMembers({ '@context': 'https://svc.example/ld/signature/v2' })
  malformed(other, /^@context: expected https:\/\/irma\.app\/ld\/signature\/v2$/)
  assert.is(parseSignedMessage(other).version, 2)
  for (const context of ['x', `${BASE}/ld/signature/v1`, `${BASE}/ld/request/signature/v2`])
    malformed(withMembers({ '@context': context }), /^@context: expected one that ends in/, null)
  malformed(withMembers({ '@context': 5 }), /^@context: expected a string, got an integer/)
})

Signed('a body that is no signed message is malformed', () => {
  for (const text of ['', '{', '[]', '"x"', '5', 'null'])
    malformed(text, /^(JSON: expected|signed message: expected an object, got)/)
  malformed(withMembers({ signature: 5 }), /^signature: expected a list, got an integer/)
  malformed(withMembers({ signature: [{}] }), /^Unknown proof type found in ProofList: signature\[0\]/)
  for (const name of ['nonce', 'context'])
    for (const value of [-1, 1.5, true, [], {}, 'A', 'AQ'])
      malformed(withMembers({ [name]: value }), new RegExp(`^${name}: expected`))
  malformed(withMembers({ indices: {} }), /^indices: expected a list, got an object/)
  malformed(withMembers({ indices: [null, 5] }), /^indices\[1\]: expected a list, got an integer/)
  malformed(withMembers({ message: 5 }), /^message: expected a string, got an integer/)
  malformed(withMembers({ signature: Array(257).fill(null) }), /^signature: expected at most 256, got 257/)
})

Signed('a timestamp of another form is malformed', () => {
  const withStamp = (members: object): string => withMembers({ timestamp: { ...STAMP, ...members } })
  malformed(withMembers({ timestamp: 'now' }), /^timestamp: expected an object, got a string/)
  for (const time of [-1, 1.5, '1', 2 ** 60])
    malformed(withStamp({ Time: time }), /^timestamp\.Time: expected/)
  malformed(withStamp({ Sig: [] }), /^timestamp\.Sig: expected an object, got a list/)
  for (const data of ['AQ', 'A', '!', 'A-__', 'AR=='])
    malformed(withStamp({ Sig: { Data: data } }), /^timestamp\.Sig\.Data: expected standard Base64/)
  const long = Buffer.alloc(2 ** 16 + 1).toString('base64')
  malformed(withStamp({ Sig: { PublicKey: long } }), /PublicKey: expected at most 65536 bytes, got 65537/)
  malformed(withStamp({ Hashing: [] }), /^timestamp\.Hashing: expected an object, got a list/)
})

Signed('a commitment among the proofs causes the error of a proof that cannot be checked', () => {
  assert.throws(
    () => parseSignedMessage(withMembers({ signature: [{ U: 'AQ==' }] })),
    (error: Error) => error instanceof ExceptionError,
  )
})

Signed.run()
