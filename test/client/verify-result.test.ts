/** The requirements of a signed result: each check fails by itself. */
import { inspect } from 'node:util'
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'
import * as assert from 'uvu/assert'
import { type SessionResult, verifyResult } from '../../libraries/client.ts'
import { suite } from '../suite.ts'

const NOW_SEC = 1_795_260_818
const CURRENT = { issuer: 'demo server', currentDate: new Date(NOW_SEC * 1_000) }
const SECRET_VALUE = 'Jansen-of-the-shop'
const RESULT: SessionResult = {
  token: 'token-of-the-session',
  status: 'DONE',
  type: 'disclosing',
  proofStatus: 'VALID',
  disclosed: [[{ rawvalue: SECRET_VALUE, value: null, id: 'a.b.c.d', status: 'PRESENT', issuancetime: 0 }]],
}
const keys = await generateKeyPair('RS256', { extractable: true })
const otherKeys = await generateKeyPair('RS256', { extractable: true })
const publicKey = await exportSPKI(keys.publicKey)
const otherKey = await exportSPKI(otherKeys.publicKey)

/** @param changes claims that replace those of a server; undefined removes one */
function signed(changes: object = {}, alg = 'RS256', key = keys.privateKey): Promise<string> {
  const claims = {
    exp: NOW_SEC + 120,
    iat: NOW_SEC,
    iss: 'demo server',
    sub: 'verification_result',
    ...RESULT,
    ...changes,
  }
  return new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(key)
}

async function codeOf(jwt: string, key: Parameters<typeof verifyResult>[1]['publicKey'] = publicKey) {
  const error: unknown = await verifyResult(jwt, { publicKey: key, ...CURRENT }).then(
    () => assert.unreachable('expected a refusal'),
    refusal => refusal,
  )
  assert.not.match(inspect(error, { depth: 9 }), SECRET_VALUE)
  return Object(error).code
}

const VerifyResult = suite('a signed result (spec/interface#5.2)')

VerifyResult('its members are those of the result, without the claims around them', async () => {
  assert.equal(await verifyResult(await signed(), { publicKey, ...CURRENT }), RESULT)
  for (const [type, sub] of [
    ['disclosing', 'disclosing_result'], // in profile irma
    ['signing', 'signing_result'],
    ['issuing', 'issuing_result'],
  ] as const)
    assert.is((await verifyResult(await signed({ type, sub }), { publicKey, ...CURRENT })).type, type)
})

VerifyResult('its key is PEM or a JWK, or one of several while the server changes it', async () => {
  const jwk = await exportJWK(keys.publicKey)
  for (const key of [publicKey, jwk, [otherKey, jwk], [publicKey, otherKey]])
    assert.equal(await verifyResult(await signed(), { publicKey: key, ...CURRENT }), RESULT)
})

VerifyResult('another key, no key, and another algorithm are refused', async () => {
  const FAILED = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'
  assert.is(await codeOf(await signed(), otherKey), FAILED)
  assert.is(await codeOf(await signed(), [otherKey, otherKey]), FAILED)
  const changed = (await signed()).replace(/\.[^.]+\./, `.${Buffer.from('{}').toString('base64url')}.`)
  assert.is(await codeOf(changed), FAILED)
  const { privateKey, publicKey: ofPss } = await generateKeyPair('PS256', { extractable: true })
  const sameKey = await exportSPKI(ofPss)
  assert.is(await codeOf(await signed({}, 'PS256', privateKey), sameKey), 'ERR_JOSE_ALG_NOT_ALLOWED')
  const none = await verifyResult(await signed(), { publicKey: [] }).catch(String)
  assert.is(none, 'TypeError: publicKey: expected at least one key, got none')
})

VerifyResult(
  'a result is refused if its issuer is another, if it has expired, or if exp, iat or iss is missing',
  async () => {
    assert.is(await codeOf(await signed({ iss: 'another' })), 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    assert.is(await codeOf(await signed({ exp: NOW_SEC })), 'ERR_JWT_EXPIRED')
    for (const claim of ['exp', 'iat', 'iss'])
      assert.is(await codeOf(await signed({ [claim]: undefined })), 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    await verifyResult(await signed({ iss: 'another' }), { publicKey, currentDate: CURRENT.currentDate })
  },
)

VerifyResult('a JWT that the same server signed for another purpose is refused', async () => {
  const others = [
    { sub: 'signing_result' }, // for another type
    { sub: undefined },
    { type: undefined },
    { type: 'signing' },
    { type: 'toString', sub: 'verification_result' },
    { type: undefined, sub: 'disclosure_result' }, // from getproof
    { sub: 'ProofP' },
  ]
  for (const claims of others)
    assert.is(await codeOf(await signed(claims)), 'ERR_JWT_CLAIM_VALIDATION_FAILED', JSON.stringify(claims))
})

VerifyResult('a result that is not UTF-8 is refused, although the server has signed it', async () => {
  const times = { exp: NOW_SEC + 120, iat: NOW_SEC, iss: 'demo server', sub: 'verification_result' }
  const claims = Buffer.from(JSON.stringify({ ...times, ...RESULT, note: '\u00e9' }), 'latin1')
  const jwt = await new CompactSign(claims).setProtectedHeader({ alg: 'RS256' }).sign(keys.privateKey)
  assert.is(await codeOf(jwt), 'ERR_JWT_INVALID')
})

VerifyResult.run()
