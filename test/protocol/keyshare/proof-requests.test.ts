import * as assert from 'uvu/assert'
import { InvalidRequestError, MalformedInputError } from '../../../protocol/errors.ts'
import {
  parseChallenge,
  parseHashedCommitmentsRequest,
  parseKeysRequest,
  parseResponseRequest,
} from '../../../protocol/keyshare/proof-requests.ts'
import { parsePublicKeyId, publicKeyIdText } from '../../../protocol/keyshare/public-key-ids.ts'
import { answeredCalls } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import { linesOf } from '../ids/lists.ts'
import { refused } from './refused.ts'

const Ids = suite('names of issuer public keys (spec/keyshare-server#3.2)')

Ids('the last hyphen separates issuer and counter, and each key has only one name', () => {
  for (const line of linesOf('public-key-id_valid')) {
    const id = parsePublicKeyId(line)
    assert.is(publicKeyIdText(id), line)
    assert.is(`-${id.counter}`, line.slice(line.lastIndexOf('-')))
  }
})

Ids('no other text is the name of a key', () => {
  for (const line of ['', ...linesOf('public-key-id_invalid')])
    assert.throws(
      () => parsePublicKeyId(line),
      (error: Error) => error instanceof MalformedInputError && /: expected .*, got /.test(error.message),
      `accepted: "${line}"`,
    )
})

const Keys = suite('requests for commitments (spec/keyshare-server#8.3, #8.5)')
const KEY = 'svc-keyshare.keyshare-0'
const HASH = 'pFFAYNXi0HbmGofiyGQHNy9h5z3jDFP1bhVr/I7ehYw='

Keys('keys keep their order, and may repeat', () => {
  const ids = parseKeysRequest(`["svc-demo.gov-1","${KEY}","svc-demo.gov-1"]`)
  assert.equal(ids.map(publicKeyIdText), ['svc-demo.gov-1', KEY, 'svc-demo.gov-1'])
  assert.is(parseKeysRequest(JSON.stringify(Array(256).fill(KEY))).length, 256)
})

Keys('a request without keys, with more than 256 keys, or of another form is refused', () => {
  refused(() => parseKeysRequest('[]'), /^no key specified/)
  refused(() => parseKeysRequest('null'), /^no key specified/)
  refused(() => parseKeysRequest(JSON.stringify(Array(257).fill(KEY))), /at most 256, got 257/)
  for (const body of ['', '{', '{}', '5', `"${KEY}"`, `[${'['.repeat(100)}`, '[5]', `["${KEY}"] x`])
    refused(() => parseKeysRequest(body))
  for (const each of ['{}', 'null', '"x"', `{"issuer":"svc-keyshare.keyshare","counter":0}`])
    refused(() => parseKeysRequest(`["${KEY}",${each}]`))
})

Keys('the second version also has the hash of an input', () => {
  const { keys, hashedComms } = parseHashedCommitmentsRequest(
    `{"keys":["${KEY}"],"hw":{"hashedComms":"${HASH}"}}`,
  )
  assert.equal(keys.map(publicKeyIdText), [KEY])
  assert.is(Buffer.from(hashedComms).toString('base64'), HASH)
})

Keys('a hash of another length is accepted, as by existing servers, and matches no input', () => {
  for (const hash of [
    '""',
    'null',
    ...[31, 33, 100, 49_152].map(bytes => `"${Buffer.alloc(bytes).toString('base64')}"`),
  ])
    assert.is(
      parseHashedCommitmentsRequest(`{"keys":["${KEY}"],"hw":{"hashedComms":${hash}}}`).hashedComms.length,
      0,
    )
  assert.is(
    parseHashedCommitmentsRequest(`{"keys":["${KEY}"],"hw":{"hashedComms":"${HASH}"}}`).hashedComms.length,
    32,
  )
})

Keys('a hash that is no Base64 or too long, and the body of the first version, are refused', () => {
  const hashed = (hash: string) => () =>
    parseHashedCommitmentsRequest(`{"keys":["${KEY}"],"hw":{"hashedComms":${hash}}}`)
  refused(hashed(`"${Buffer.alloc(49_155).toString('base64')}"`), /at most 65536 characters/)
  refused(hashed(`"${HASH.replace('=', '')}"`), /with padding/)
  refused(hashed('5'))
  refused(() => parseHashedCommitmentsRequest(`["${KEY}"]`), /expected an object, got a list/)
  refused(() => parseHashedCommitmentsRequest(`{"keys":["${KEY}"]}`), /^hw: expected an object/)
  refused(() => parseHashedCommitmentsRequest(`{"keys":[],"hw":{"hashedComms":"${HASH}"}}`), /^no key/)
})

const Challenges = suite('requests for a response (spec/keyshare-server#3.1, #8.4, #8.5)')

Challenges('the challenge is Base64 or a JSON integer of any size, read without loss', () => {
  for (const [text, value] of [
    ['"MDk="', 12345n],
    ['12345', 12345n],
    ['""', 0n],
    ['null', 0n],
    ['0', 0n],
    ['"AAAwOQ=="', 12345n],
    ['9007199254740993', 2n ** 53n + 1n],
    [String(2n ** 256n - 1n), 2n ** 256n - 1n],
    ['"//////////////////////////////////////////8="', 2n ** 256n - 1n],
  ] as const)
    assert.is(parseChallenge(text), value)
})

Challenges('a challenge that is negative, no integer or longer than 256 bits is refused', () => {
  for (const text of [
    '-1',
    '"MDk"',
    '1.5',
    '1e3',
    '{}',
    '[]',
    'true',
    '"MDk=" x',
    '',
    '{',
    '-9007199254740993',
  ])
    refused(() => parseChallenge(text))
  refused(() => parseChallenge(String(2n ** 256n)), /^challenge out of bounds: expected at most 256 bits/)
  refused(() => parseChallenge('"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"'), /got 257$/)
})

const ENTRY = { key: KEY, val: 'AQID', comm: 7, otherComms: ['BQ==', 12345678901234567890n] }
const json = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `n${each}` : each)).replace(
    /"n(\d+)"/g,
    '$1',
  )
const MESSAGE = { nonce: 'B1vNFQ==', resp: 'AQ==', sig: true, UserChallengeInput: [ENTRY] }

Challenges('the second version contains the input of the challenge', () => {
  assert.equal(parseResponseRequest(json({ ...MESSAGE, context: 'Ag==' })), {
    context: 2n,
    nonce: 123456789n,
    userResponse: 1n,
    isSignature: true,
    input: [
      {
        key: { issuer: 'svc-keyshare.keyshare', counter: 0 },
        val: 0x010203n,
        comm: 7n,
        otherComms: [5n, 12345678901234567890n],
      },
    ],
  })
})

Challenges('context is 1 by default; key, otherComms, sig and input are optional', () => {
  const { nonce, resp } = MESSAGE
  assert.equal(parseResponseRequest(json({ nonce, resp })), {
    context: 1n,
    nonce: 123456789n,
    userResponse: 1n,
    isSignature: false,
    input: null,
  })
  const { val, comm } = ENTRY
  const { input } = parseResponseRequest(
    json({ nonce, resp, UserChallengeInput: [{ val, comm, key: null }] }),
  )
  assert.equal(input, [{ key: null, val: 0x010203n, comm: 7n, otherComms: [] }])
})

Challenges('nonce, response and both numbers of each proof are required', () => {
  for (const name of ['nonce', 'resp'])
    for (const value of [undefined, null, -1, 1.5, {}, 'x'])
      refused(
        () => parseResponseRequest(json({ ...MESSAGE, [name]: value })),
        new RegExp(`^${name}: expected`),
      )
  for (const name of ['val', 'comm'])
    for (const value of [undefined, null, -1, [], 'x'])
      refused(
        () => parseResponseRequest(json({ ...MESSAGE, UserChallengeInput: [{ ...ENTRY, [name]: value }] })),
        new RegExp(`^UserChallengeInput\\[0\\]\\.${name}: expected`),
      )
  for (const entry of [
    { ...ENTRY, key: 'x' },
    { ...ENTRY, key: '' },
    { ...ENTRY, otherComms: [null] },
    5,
    null,
  ])
    refused(() => parseResponseRequest(json({ ...MESSAGE, UserChallengeInput: [entry] })))
  for (const body of ['', '[]', 'null', '"MDk="']) refused(() => parseResponseRequest(body))
  refused(() => parseResponseRequest(json({ ...MESSAGE, sig: 1 })), /^sig: expected true or false/)
})

Challenges('an input has at most 256 proofs, and nonce and context at most 256 bits', () => {
  const many = (count: number) => json({ ...MESSAGE, UserChallengeInput: Array(count).fill(ENTRY) })
  assert.is(parseResponseRequest(many(256)).input?.length, 256)
  refused(() => parseResponseRequest(many(257)), /at most 256, got 257/)
  refused(() => parseResponseRequest(json({ ...MESSAGE, nonce: 2n ** 256n })), /at most 256 bits/)
  refused(() => parseResponseRequest(json({ ...MESSAGE, context: 2n ** 256n })), /at most 256 bits/)
})

Challenges('every recorded request of a successful call is read', () => {
  const read = [
    ...answeredCalls('/prove/getResponse').map(({ path, text }) =>
      path.includes('/v2/') ? parseResponseRequest(text) : parseChallenge(text),
    ),
    ...answeredCalls('/getResponseLinkable').map(({ text }) => parseResponseRequest(text)),
    ...answeredCalls('/getPs').map(({ text }) => parseKeysRequest(text)),
    ...answeredCalls('/getCommitments').map(({ path, text }) =>
      path.includes('/v2/') ? parseHashedCommitmentsRequest(text) : parseKeysRequest(text),
    ),
  ]
  assert.ok(read.length > 60, String(read.length))
})

Challenges('errors are of type INVALID_REQUEST, and quote no number', () => {
  const error = refused(() => parseChallenge('-123456789'))
  assert.instance(error, InvalidRequestError)
  assert.not.match(error.message, /12345/)
})

Ids.run()
Keys.run()
Challenges.run()
