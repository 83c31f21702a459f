/** Each check of an issued SD-JWT: a well-signed one that differs in one fact is refused. @module */
import { createPrivateKey, randomBytes, sign, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SessionError } from '../../../libraries/wallet/failure.ts'
import { readOffers } from '../../../libraries/wallet/offers.ts'
import { newBindingKeys } from '../../../libraries/wallet/sd-jwt/keys.ts'
import { type SdJwtTrust, verifySdJwts } from '../../../libraries/wallet/sd-jwt/verify.ts'
import { parseCredentialTypeId } from '../../../protocol/ids.ts'
import { digestOf, type SdJwtToSign, signSdJwt } from '../../../protocol/sd-jwt/sd-jwt.ts'
import { pemBlocks } from '../../../schemes/sd-jwt/certificates.ts'
import { PROJECT } from '../../project.ts'
import { suite } from '../../suite.ts'
import { schemes } from '../support.ts'
import { CA, ID_CARD, NOW_MS, ROOT } from './server.ts'

const NOW_SEC = NOW_MS / 1_000
const WEEK_SEC = 604_800
const VALIDITY = 2_208_988_800
const PKI = join(PROJECT, 'test/vectors/sd-jwt/pki')
const [KEY] = newBindingKeys(1, randomBytes)
const [OFFER] = readOffers(
  [
    {
      credential: parseCredentialTypeId(ID_CARD.credential),
      validityAtSec: VALIDITY,
      attributes: ID_CARD.attributes,
      revocationKey: '',
      revocationSupported: false,
      keyCounter: 0,
      randomBlindIds: [],
      sdJwtBatchSize: 1,
    },
  ],
  schemes,
  NOW_SEC,
)

type Changes = Partial<Omit<SdJwtToSign, 'issuer'>> & {
  readonly url?: string
  readonly x5c?: readonly string[]
  /** folder of the key and the certificates */
  readonly pki?: string
  readonly payload?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
}

function issuerIn(pki: string) {
  const file = (folder: string) => readFileSync(join(pki, folder, 'svc-demo.gov.pem'), 'utf8')
  const certificates = pemBlocks(file('certs')).map(({ text }) => new X509Certificate(text))
  return {
    url: 'https://gov.example.com',
    x5c: certificates.map(({ raw }) => raw.toString('base64')),
    privateKey: createPrivateKey(file('keys')),
  }
}

function issued({ url, x5c, pki = PKI, payload, header, ...changes }: Changes = {}): string {
  const issuer = { ...issuerIn(pki), ...(url && { url }), ...(x5c && { x5c }) }
  const whole = signSdJwt(
    {
      issuer,
      vct: ID_CARD.credential,
      issuedAtSec: NOW_SEC,
      expiresAtSec: VALIDITY,
      key: KEY?.publicKey ?? {},
      attributes: ID_CARD.attributes,
      ...changes,
    },
    randomBytes,
  )
  if (!payload && !header) return whole
  const [jwt = '', ...rest] = whole.split('~')
  const parts = jwt.split('.').map(part => Buffer.from(part, 'base64url').toString())
  const changed = [
    { ...JSON.parse(parts[0] ?? ''), ...header },
    { ...JSON.parse(parts[1] ?? ''), ...payload },
  ].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const key = { key: issuer.privateKey, dsaEncoding: 'ieee-p1363' } as const
  const signature = sign('sha256', Buffer.from(changed.join('.')), key).toString('base64url')
  return [[...changed, signature].join('.'), ...rest].join('~')
}

function verified(text: string, trust: Partial<SdJwtTrust> = {}) {
  if (KEY === undefined || OFFER === undefined) throw new Error('expected a key and an offer')
  return verifySdJwts([text], [{ offer: OFFER, key: KEY }], { roots: [ROOT], nowSec: NOW_SEC, ...trust })
}

function refusal(text: string, trust: Partial<SdJwtTrust> = {}): string {
  try {
    verified(text, trust)
  } catch (error) {
    if (error instanceof SessionError && error.reason === 'wrong-credential') return error.message
    throw error
  }
  throw new Error('expected a refusal')
}

const { initials: _, ...without } = ID_CARD.attributes
const other = newBindingKeys(1, randomBytes)[0]?.publicKey ?? {}

/** The certificate with a point of another form in its key. */
const UNREADABLE = (() => {
  const { raw } = new X509Certificate(readFileSync(join(PKI, 'certs/svc-demo.gov.pem')))
  const bytes = Buffer.from(raw)
  const point = bytes.indexOf(Buffer.from('03420004', 'hex')) // BIT STRING of 66 bytes, no unused bits, uncompressed
  bytes[point + 3] = 5
  return bytes.toString('base64')
})()

const WRONG: readonly (readonly [what: string, changes: Changes, message: RegExp])[] = [
  ['another type', { vct: 'svc-demo.gov.address' }, /the type of the offer/],
  ['no type', { vct: '' }, /expected vct, got none/],
  ['an attribute less', { attributes: without }, /the attributes of the offer/],
  ['another value', { attributes: { ...ID_CARD.attributes, initials: 'C' } }, /the attributes of the offer/],
  ['an attribute more', { attributes: { ...ID_CARD.attributes, more: 'x' } }, /the attributes of the offer/],
  [
    'an attribute with the name of a claim',
    { attributes: { ...ID_CARD.attributes, iat: 'x' } },
    /each name once/,
  ],
  ['a longer validity', { expiresAtSec: VALIDITY + WEEK_SEC }, /the validity of the offer/],
  ['a shorter validity', { expiresAtSec: VALIDITY - WEEK_SEC }, /the validity of the offer/],
  ['a time in the past', { expiresAtSec: NOW_SEC - 181 }, /has not expired/],
  ['a time of issue in the future', { issuedAtSec: NOW_SEC + 181 }, /not in the future/],
  ['nbf in the future', { payload: { nbf: NOW_SEC + 181 } }, /not in the future/],
  ['another key', { key: other }, /the key of this wallet/],
  ['more than the key', { key: { ...KEY?.publicKey, kid: 'x' } }, /the key of this wallet/],
  ['another iss', { url: 'https://other.example' }, /iss to be the address/],
  ['a status', { payload: { status: {} } }, /expected no status/],
  ['another hash', { payload: { _sd_alg: 'sha-512' } }, /the hash sha-256/],
  ['another algorithm', { header: { alg: 'none' } }, /the algorithm ES256/],
  ['another type of JWT', { header: { typ: 'JWT' } }, /the algorithm ES256 and the type/],
  ['kid beside x5c', { header: { kid: 'x' } }, /x5c, and no kid/],
  ['no x5c', { header: { x5c: [] } }, /x5c, and no kid/],
  ['x5c of another text', { x5c: ['AQ=='] }, /certificates in x5c/],
  ['a certificate whose key cannot be read', { x5c: [UNREADABLE] }, /a public key that can be read/],
  ['a digest too many', { payload: { _sd: ['x'] } }, /one digest for each disclosure/],
  ['a key of another certificate', { pki: join(PKI, 'variants/mismatch') }, /a signature by its certificate/],
  ['an expired certificate', { pki: join(PKI, 'variants/expired') }, /certificates that are valid now/],
  ['a certificate that may not sign', { pki: join(PKI, 'variants/no-key-usage') }, /that may sign/],
  ['a key on another curve', { pki: join(PKI, 'variants/p384-key') }, /certificate on P-256/],
  ['a self-signed certificate', { pki: join(PKI, 'variants/self-signed') }, /a trusted CA/],
]

const Checks = suite('checks of an issued SD-JWT (spec/session-server#18)')

for (const [what, changes, message] of WRONG)
  Checks(`refused: ${what}`, () => assert.match(refusal(issued(changes)), message))

Checks('a JWT and a disclosure that are not UTF-8 are refused', () => {
  const [jwt = '', ...rest] = issued().split('~')
  const latin = Buffer.from('["\u00e9","a","b"]', 'latin1').toString('base64url')
  const [head, , signature] = jwt.split('.')
  const other = [[head, latin, signature].join('.'), ...rest].join('~')
  assert.match(refusal(other), 'SD-JWT: payload: expected UTF-8, got other bytes')
  const digests = { _sd: [digestOf(latin)] }
  const [changed = ''] = issued({ payload: digests }).split('~')
  assert.match(refusal(`${changed}~${latin}~`), 'SD-JWT: disclosure: expected UTF-8, got other bytes')
})

Checks('a right SD-JWT is returned with its key', () => {
  const text = issued()
  assert.equal(verified(text), [{ text, secret: KEY?.secret }])
  assert.is(verified(issued({ issuedAtSec: NOW_SEC + 180 })).length, 1)
  assert.is(verified(issued({ header: { typ: 'vc+sd-jwt' } })).length, 1)
  // servers of one profile send the validity in whole weeks
  assert.is(verified(issued({ expiresAtSec: VALIDITY - (VALIDITY % WEEK_SEC) })).length, 1)
})

Checks('a chain is followed to a trusted certificate', () => {
  const [leaf = '', ca = ''] = issuerIn(PKI).x5c
  assert.is(verified(issued({ x5c: [leaf] }), { roots: [CA] }).length, 1)
  assert.match(refusal(issued({ x5c: [leaf] })), /a trusted CA/)
  assert.match(refusal(issued({ x5c: [leaf, leaf, ca] })), /signed by the next one/)
  assert.match(refusal(issued(), { roots: [] }), /a trusted CA/)
  assert.is(verified(issued(), { roots: null }).length, 1)
  assert.is(verified(issued({ pki: join(PKI, 'variants/self-signed') }), { roots: null }).length, 1)
  assert.match(refusal(issued({ x5c: [leaf, leaf] }), { roots: null }), /signed by the next one/)
})

Checks.run()
