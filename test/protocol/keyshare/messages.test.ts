import * as assert from 'uvu/assert'
import {
  MissingChallengeError,
  MissingCommitmentError,
  remoteErrorObject,
  TooManyRequestsError,
  UnexpectedRequestError,
  UserNotRegisteredError,
} from '../../../protocol/errors.ts'
import { writeJson } from '../../../protocol/json.ts'
import {
  commitments,
  hashedCommitments,
  loginChallenge,
  loginSucceeded,
  pinChanged,
  pinRefused,
  proofPClaim,
  publicParts,
} from '../../../protocol/keyshare/answers.ts'
import {
  readChallenge,
  readPin,
  readPinChange,
  readPublicKey,
  readRegistration,
  readUserName,
} from '../../../protocol/keyshare/claims.ts'
import { readCredentials } from '../../../protocol/keyshare/credentials.ts'
import { parsePublicKeyId } from '../../../protocol/keyshare/public-key-ids.ts'
import {
  parseKeyRegistration,
  parseLogin,
  parseLoginStart,
  parsePinChange,
  parsePlainLogin,
  parseRegistration,
} from '../../../protocol/keyshare/signed-bodies.ts'
import { readObject, readText } from '../../../protocol/shape.ts'
import { answeredCalls, claimsIn, RECORDED_CALLS } from '../../crypto/keyshare/recorded.ts'
import { suite } from '../../suite.ts'
import { refused } from './refused.ts'

const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJpZCI6IngifQ.c2ln'
const PIN = 'a6ASwR6PLZEHGlCf93a99fo/efd/4bGNceDsbyiSeu4=\n'

const Bodies = suite(
  'bodies of registration, login and change of PIN (spec/keyshare-server#4, #6, #10; spec/decisions#k10)',
)

const PARSERS = [
  ['enrollment_jwt', (text: string) => parseRegistration(text)],
  ['auth_request_jwt', (text: string) => ({ type: 'signed', jwt: parseLoginStart(text) })],
  ['auth_response_jwt', (text: string) => ({ type: 'signed', jwt: parseLogin(text) })],
  ['change_pin_jwt', (text: string) => parsePinChange(text)],
  ['jwt', (text: string) => ({ type: 'signed', jwt: parseKeyRegistration(text) })],
] as const

for (const [member, parse] of PARSERS) {
  Bodies(`the JWT is the member ${member} of an object with any other members, or the whole body`, () => {
    const signed = { type: 'signed', jwt: JWT }
    assert.equal(parse(JSON.stringify({ id: '', pin: 5, publickey: 'x', [member]: JWT })), signed)
    assert.equal(parse(JWT), signed)
    assert.equal(parse(` ${JWT}\n`), signed)
  })
  Bodies(`${member}: a body that is neither such an object nor a JWT is refused`, () => {
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '5',
      `"${JWT}"`,
      `{"${member}":5}`,
      'a.b',
      `${JWT}.x`,
      `${JWT} x`,
    ])
      refused(() => parse(body))
  })
}

Bodies('without JWT: a registration, a login and a change of PIN of the previous protocol', () => {
  const content = { pin: PIN, email: 'a@b.example', language: 'nl' }
  assert.equal(parseRegistration(JSON.stringify(content)), { type: 'plain', content })
  assert.equal(
    parseRegistration(JSON.stringify({ enrollment_jwt: '', pin: PIN, email: null, publickey: '' })),
    {
      type: 'plain',
      content: { pin: PIN, email: '', language: '' },
    },
  )
  assert.equal(parsePlainLogin(JSON.stringify({ id: 'x', pin: PIN })), { userName: 'x', pin: PIN })
  assert.equal(parsePinChange(JSON.stringify({ id: 'x', oldpin: PIN, newpin: 'n' })), {
    type: 'plain',
    content: { userName: 'x', oldPin: PIN, newPin: 'n' },
  })
})

Bodies('a registration with a device key and no signature is refused', () => {
  const body = JSON.stringify({ pin: PIN, publickey: 'AAAA' })
  refused(() => parseRegistration(body), /^when public key is specified, registration message must be signed/)
})

Bodies('a login with a challenge needs a JWT, and a login without one refuses a JWT', () => {
  refused(() => parseLogin(JSON.stringify({ id: 'x', pin: PIN })), /^wrong endpoint/)
  refused(() => parsePlainLogin(JSON.stringify({ auth_response_jwt: JWT })), /^wrong endpoint/)
  refused(() => parsePlainLogin(JWT), /^wrong endpoint/)
  refused(() => parseLoginStart('{}'), /^auth_request_jwt: expected a JWT/)
  refused(() => parseKeyRegistration('{}'), /^jwt: expected a JWT/)
})

Bodies('every recorded body of a successful call is read', () => {
  let count = 0
  for (const [path, parse] of [
    ['/client/register', parseRegistration],
    ['/verify_start', parseLoginStart],
    ['/pin_challengeresponse', parseLogin],
    ['/change/pin', parsePinChange],
    ['/verify/pin', parsePlainLogin],
  ] as const)
    for (const { text } of answeredCalls(path)) count += parse(text) ? 1 : 0
  assert.ok(count > 100, String(count))
})

const Claims = suite('claims of the wallet app (spec/keyshare-server#3.4, #4, #6, #10)')

Claims('a PIN is any text of at most 64 bytes, and its newline is kept', () => {
  assert.is(readPin({ pin: PIN }), PIN)
  assert.is(readPin({}), '')
  assert.is(readPin({ pin: 'x'.repeat(64) }), 'x'.repeat(64))
  const error = refused(
    () => readPin({ pin: 'é'.repeat(32).concat('y') }),
    /^pin too long: pin: expected at most 64/,
  )
  assert.not.match(error.message, /é/)
  refused(() => readPin({ pin: 12345 }), /expected a string, got an integer/)
  const change = (members: object) => () => readPinChange({ oldpin: 'o', newpin: 'n', ...members })
  assert.equal(change({})(), { oldPin: 'o', newPin: 'n' })
  refused(change({ oldpin: 'x'.repeat(65) }), /^pin too long: oldpin/)
  refused(change({ newpin: 'x'.repeat(65) }), /^pin too long: newpin/)
  refused(() => readRegistration({ pin: 'x'.repeat(65) }), /^pin too long: pin/)
})

Claims('a registration may have an address and a language', () => {
  assert.equal(readRegistration({ pin: PIN }), { pin: PIN, email: '', language: '' })
  refused(() => readRegistration({ pin: PIN, email: 'a'.repeat(255) }), /^email: expected at most 254/)
  refused(() => readRegistration({ pin: PIN, language: 'a'.repeat(65) }), /^language: expected at most 64/)
  refused(() => readRegistration({ pin: PIN, email: ['a@b'] }), /^email: expected a string/)
})

Claims('keys and challenges are bytes, and names are texts', () => {
  assert.equal([...readPublicKey({ publickey: 'AQI=' })], [1, 2])
  assert.equal([...readChallenge({ challenge: 'AQI=' })], [1, 2])
  assert.is(readUserName({ id: 'x' }), 'x')
  for (const value of ['AQI', '?', 5, 'A'.repeat(516)]) {
    refused(() => readPublicKey({ publickey: value }), /^publickey/)
    refused(() => readChallenge({ challenge: value }), /^challenge/)
  }
  refused(() => readUserName({ id: 5 }), /^id: expected a string/)
})

Claims('the claims of every recorded JWT of a successful call are read', () => {
  const claims = (jwt: string) => readObject(readText(JSON.stringify(claimsIn(jwt))), 'claims')
  for (const { text } of answeredCalls('/client/register')) {
    const body = parseRegistration(text)
    if (body.type === 'plain') continue
    assert.is(readPublicKey(claims(body.jwt)).length, 91)
    assert.ok(readRegistration(claims(body.jwt)))
  }
  for (const { text } of answeredCalls('/pin_challengeresponse')) {
    const login = claims(parseLogin(text))
    assert.is(readUserName(login).length, 12)
    assert.is(readChallenge(login).length, 32)
    assert.ok(readPin(login).length > 40)
  }
})

const Answers = suite(
  'answers of a keyshare server (spec/keyshare-server#6 to #10; spec/decisions#k2, #k4, #k5)',
)

Answers('the status of a successful login is spelled succes on singular paths', () => {
  assert.is(writeJson(loginSucceeded(JWT, 'plural')), `{"status":"success","message":"${JWT}"}`)
  assert.is(writeJson(loginSucceeded(JWT, 'singular')), `{"status":"succes","message":"${JWT}"}`)
})

Answers('a changed PIN has the status success on every path, and a message on plural paths', () => {
  assert.is(writeJson(pinChanged('plural')), '{"status":"success","message":""}')
  assert.is(writeJson(pinChanged('singular')), '{"status":"success"}')
})

Answers('a refusal contains the number of tries left, or the seconds of the block, in decimal', () => {
  assert.is(writeJson(pinRefused({ status: 'failure', triesLeft: 2 })), '{"status":"failure","message":"2"}')
  assert.is(writeJson(pinRefused({ status: 'error', waitSec: 60 })), '{"status":"error","message":"60"}')
})

Answers('the answer to verify_start has a challenge of 32 bytes and the only method to log in', () => {
  assert.is(
    writeJson(loginChallenge(new Uint8Array(32))),
    '{"candidates":["pin_challengeresponse"],"challenge":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}',
  )
})

Answers('an answer has each key once, in ascending order, and its numbers in Base64', () => {
  const list = ['b.b-2', 'b.b-10', 'B.b-0', 'b.b-2'].map(id => ({
    key: parsePublicKeyId(id),
    P: 5n,
    Pcommit: 0n,
  }))
  const one = '{"P":"BQ==","Pcommit":""}'
  assert.is(writeJson(commitments(list)), `{"c":{"B.b-0":${one},"b.b-10":${one},"b.b-2":${one}}}`)
  assert.is(writeJson(hashedCommitments(list)), '{"c":{"B.b-0":"","b.b-10":"","b.b-2":""}}')
  assert.is(writeJson(publicParts(list)), '{"ps":{"B.b-0":"BQ==","b.b-10":"BQ==","b.b-2":"BQ=="}}')
})

Answers('ProofP contains P unless the response is the sum of both halves', () => {
  assert.is(
    writeJson(proofPClaim({ P: 1n, c: 2n, sResponse: 3n })),
    '{"P":"AQ==","c":"Ag==","s_response":"Aw=="}',
  )
  assert.is(writeJson(proofPClaim({ P: null, c: 2n, sResponse: 3n })), '{"c":"Ag==","s_response":"Aw=="}')
})

const Headers = suite('headers of a logged-in wallet app (spec/keyshare-server#2.5, spec/decisions#k6)')

Headers('the JWT may follow the word Bearer; an empty or missing header is no JWT', () => {
  assert.equal(readCredentials(JWT, 'x'), { userName: 'x', jwt: JWT })
  assert.equal(readCredentials(`Bearer ${JWT}`, undefined), { userName: null, jwt: JWT })
  assert.equal(readCredentials('', ''), { userName: null, jwt: null })
  assert.equal(readCredentials(undefined, 'x'), { userName: 'x', jwt: null })
  assert.equal(readCredentials('Bearer ', ''), { userName: null, jwt: null })
  assert.is(readCredentials(`bearer ${JWT}`, 'x').jwt, `bearer ${JWT}`) // only this exact word is removed
})

const Errors = suite('errors of a keyshare server (spec/keyshare-server#2.6)')

Errors('type, status and description are as specified, and as recorded', () => {
  for (const [Kind, error, status] of [
    [UserNotRegisteredError, 'USER_NOT_REGISTERED', 403],
    [UnexpectedRequestError, 'UNEXPECTED_REQUEST', 403],
    [MissingChallengeError, 'MISSING_CHALLENGE', 409],
    [MissingCommitmentError, 'MISSING_COMMITMENT', 409],
  ] as const) {
    const recorded = RECORDED_CALLS.filter(({ answer }) => answer.includes(`"${error}"`))
    assert.ok(recorded.length > 0, error)
    for (const { answer } of recorded) {
      const { message } = JSON.parse(answer) as { message: string }
      assert.is(writeJson(remoteErrorObject(new Kind(message))), answer)
    }
    assert.is(new Kind().status, status)
  }
  assert.equal(remoteErrorObject(new TooManyRequestsError()), {
    status: 429,
    error: 'TOO_MANY_REQUESTS',
    description: 'Too many requests',
  })
})

Bodies.run()
Claims.run()
Answers.run()
Headers.run()
Errors.run()
