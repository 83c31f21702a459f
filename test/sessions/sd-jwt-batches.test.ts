/** The bounds of a request for SD-JWTs, and the claims that are signed for each key of the app. @module */
import { generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { InvalidRequestError, IssuanceFailedError } from '../../protocol/errors.ts'
import { parseCredentialTypeId, parseIssuerId } from '../../protocol/ids.ts'
import type { IssuanceRequest } from '../../protocol/request.ts'
import type { CredentialRequest } from '../../protocol/request-members.ts'
import type { SdJwtIssuers } from '../../schemes/sd-jwt/issuers.ts'
import { batchSizesOf, checkBatches, sdJwtsOf } from '../../sessions/sd-jwt-batches.ts'
import { suite } from '../suite.ts'

const GOV = parseIssuerId('svc-demo.gov')
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const nowSec = 1_000
const ISSUERS: SdJwtIssuers = new Map([
  [
    GOV,
    {
      id: GOV,
      file: 'certs/svc-demo.gov.pem',
      url: 'https://gov.example',
      x5c: ['AQ=='],
      validFromSec: nowSec - 1,
      validUntilSec: nowSec + 1,
      privateKey,
    },
  ],
])
const FACTS = { issuers: ISSUERS, nowSec }

function credential(
  size: number,
  changes: Partial<CredentialRequest> = {},
  type = 'svc-demo.gov.idcard',
): CredentialRequest {
  return {
    credential: parseCredentialTypeId(type),
    validityAtSec: 5_000,
    attributes: { initials: 'A' },
    revocationKey: '',
    keyCounter: 0,
    randomBlindIds: [],
    ...(size > 0 && { sdJwtBatchSize: size }),
    ...changes,
  }
}

function request(...credentials: readonly CredentialRequest[]): IssuanceRequest {
  return {
    type: 'issuing',
    credentials,
    disclose: [],
    labels: {},
    skipExpiryCheck: [],
    nonRevocation: [],
    clientReturnUrl: '',
    augmentReturnUrl: false,
    host: '',
  }
}

const key = (x: string) => ({ crv: 'P-256', kty: 'EC', x, y: 'y' })
const OTHER_ISSUER = 'svc-demo.uni.student'

const Batches = suite('SD-JWTs of an issuance (spec/session-server#18)')

const REFUSED: readonly (readonly [
  what: string,
  credentials: readonly CredentialRequest[],
  facts: Partial<typeof FACTS>,
  message: RegExp,
])[] = [
  [
    'an issuer without a key',
    [credential(1, {}, OTHER_ISSUER)],
    {},
    /this server has no SD-JWT key of issuer svc-demo\.uni/,
  ],
  [
    'certificates that have expired',
    [credential(1)],
    { nowSec: nowSec + 2 },
    /certificates of issuer svc-demo\.gov are not valid now/,
  ],
  ['certificates that are not valid yet', [credential(1)], { nowSec: nowSec - 2 }, /are not valid now/],
  [
    'more than 500 in one session',
    [credential(200), credential(200), credential(101)],
    {},
    /at most 500 SD-JWTs in one session, got 501/,
  ],
  [
    'too many characters in one',
    [credential(1, { attributes: { initials: 'x'.repeat(100_000) } })],
    {},
    /at most 131072 characters, got about \d+ for svc-demo\.gov\.idcard/,
  ],
  [
    'characters that are escaped in the SD-JWT',
    [credential(1, { attributes: { initials: '<'.repeat(20_000) } })],
    {},
    /at most 131072 characters, got about \d+/,
  ],
  [
    'too many characters in all',
    [credential(200, { attributes: { initials: 'x'.repeat(40_000) } })],
    {},
    /at most 8388608 characters/,
  ],
  [
    'an attribute with the name of a claim',
    [credential(1, { attributes: { iss: 'x' } })],
    {},
    /its attribute iss has the name of a claim/,
  ],
]

for (const [what, credentials, facts, message] of REFUSED)
  Batches(`${what}: refused when the session is created`, () => {
    assert.throws(
      () => checkBatches(credentials, { ...FACTS, ...facts }),
      (error: unknown) => error instanceof InvalidRequestError && message.test(error.message),
    )
  })

Batches('credentials without a batch need no key, and a server without SD-JWTs ignores batches', () => {
  checkBatches([credential(0, {}, OTHER_ISSUER), credential(200), credential(200), credential(100)], FACTS)
  checkBatches([credential(1, {}, OTHER_ISSUER)], { issuers: null, nowSec })
  checkBatches([credential(0, { attributes: { iss: 'x' } })], FACTS)
})

Batches('the keys are assigned to the credentials in their order', () => {
  const asked = request(
    credential(1),
    credential(0, {}, OTHER_ISSUER),
    credential(2, { attributes: { initials: 'B' } }),
  )
  assert.is(batchSizesOf(asked), 3)
  const signed = sdJwtsOf({ ...FACTS, request: asked, keys: ['1', '2', '3'].map(key) })
  assert.equal(
    signed.map(each => [each.key.x, each.attributes.initials, each.issuedAtSec, each.expiresAtSec]),
    [
      ['1', 'A', nowSec, 5_000],
      ['2', 'B', nowSec, 5_000],
      ['3', 'B', nowSec, 5_000],
    ],
  )
})

Batches('without keys, a batch size or issuers, no SD-JWT is issued', () => {
  assert.equal(sdJwtsOf({ ...FACTS, request: request(credential(2)), keys: [] }), [])
  assert.equal(sdJwtsOf({ ...FACTS, request: request(credential(0)), keys: [key('1')] }), [])
  assert.equal(sdJwtsOf({ issuers: null, nowSec, request: request(credential(1)), keys: [key('1')] }), [])
})

Batches('another number of keys, or an issuer that can no longer sign, fails the issuance', () => {
  const sign =
    (count: number, facts: Partial<typeof FACTS> = {}) =>
    () =>
      sdJwtsOf({ ...FACTS, ...facts, request: request(credential(2)), keys: Array(count).fill(key('1')) })
  for (const wrong of [sign(1), sign(3), sign(2, { nowSec: nowSec + 2 }), sign(2, { issuers: new Map() })])
    assert.throws(wrong, (error: unknown) => error instanceof IssuanceFailedError)
  assert.throws(sign(3), /number of requested SD-JWTs \(2\) does not match the number of pub keys \(3\)/)
})

Batches.run()
