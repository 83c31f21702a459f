/** The form of an SD-JWT VC: members, their order, salts and digests. test/replay/sd-jwt.test.ts compares it with recordings, and in
 *  test/wallet/sd-jwts.test.ts another program verifies it. @module */
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type SdJwtToSign, signSdJwt } from '../../../protocol/sd-jwt/sd-jwt.ts'
import { suite } from '../../suite.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const KEY = { crv: 'P-256', kty: 'EC', x: 'x', y: 'y' }

function toSign(attributes: SdJwtToSign['attributes']): SdJwtToSign {
  return {
    issuer: { url: 'https://issuer.example', x5c: ['AQ==', 'Ag=='], privateKey },
    vct: 'svc-demo.gov.idcard',
    issuedAtSec: 5,
    expiresAtSec: 9,
    key: KEY,
    attributes,
  }
}

/** Counts up, so that all salts differ. */
function counting(): (count: number) => Uint8Array {
  let last = 0
  return count => new Uint8Array(count).fill(++last)
}

const decoded = (part = '') => Buffer.from(part, 'base64url').toString()

const Form = suite('the form of an SD-JWT VC (spec/session-server#18)')

Form('header and payload have exactly these members, in this order', () => {
  const [jwt = '', disclosure = '', end] = signSdJwt(toSign({ a: 'b' }), counting()).split('~')
  const [header, payload, signature = ''] = jwt.split('.')
  const digest = createHash('sha256').update(disclosure).digest('base64url')
  assert.is(decoded(header), '{"alg":"ES256","typ":"dc+sd-jwt","x5c":["AQ==","Ag=="]}')
  assert.is(
    decoded(payload),
    `{"_sd":["${digest}"],"_sd_alg":"sha-256","cnf":{"jwk":{"crv":"P-256","kty":"EC","x":"x","y":"y"}},"exp":9,"iat":5,"iss":"https://issuer.example","vct":"svc-demo.gov.idcard"}`,
  )
  assert.is(decoded(disclosure), `["${Buffer.alloc(16, 1).toString('base64url')}","a","b"]`)
  assert.is(end, '')
  const raw = Buffer.from(signature, 'base64url')
  const key = {
    key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    dsaEncoding: 'ieee-p1363',
  } as const
  assert.is(raw.length, 64)
  assert.ok(verify('sha256', Buffer.from(`${header}.${payload}`), key, raw))
})

Form('disclosures are in the order of their digests, whatever the order of the attributes', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const orders = new Set<string>()
  for (let first = 1; first <= 20; first++) {
    const attributes = Object.fromEntries(names.map(name => [name, String(first)]))
    const [jwt = '', ...disclosures] = signSdJwt(toSign(attributes), counting()).split('~').slice(0, -1)
    const digests = disclosures.map(text => createHash('sha256').update(text).digest('base64url'))
    assert.equal(JSON.parse(decoded(jwt.split('.')[1]))._sd, digests)
    assert.equal(digests, digests.toSorted())
    orders.add(disclosures.map(text => JSON.parse(decoded(text))[1]).join(''))
  }
  assert.ok(orders.size > 10, `${orders.size} orders`)
})

Form('every disclosure has a salt of its own', () => {
  const [, ...disclosures] = signSdJwt(toSign({ a: 'x', b: 'x' }), counting())
    .split('~')
    .slice(0, -1)
  assert.is(new Set(disclosures.map(text => JSON.parse(decoded(text))[0])).size, 2)
})

Form('without attributes there are no disclosures and no _sd', () => {
  const [jwt = '', ...rest] = signSdJwt(toSign({}), counting()).split('~')
  assert.equal(rest, [''])
  assert.equal(Object.keys(JSON.parse(decoded(jwt.split('.')[1]))), [
    '_sd_alg',
    'cnf',
    'exp',
    'iat',
    'iss',
    'vct',
  ])
})

Form.run()
