import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type KeyshareSigner, signAuthentication, signProof, tokenIdIn } from '../../accounts/server-jwts.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { parseSchemeId } from '../../protocol/ids.ts'
import { readKeyshareJwt } from '../../sessions/keyshare-jwt.ts'
import { claimsIn } from '../crypto/keyshare/recorded.ts'
import { PROJECT } from '../project.ts'
import { refusedWith } from '../sessions/refusal.ts'
import { suite } from '../suite.ts'
import { NOW_SEC, signedText } from './jwts.ts'

const pem = (name: string): Buffer => readFileSync(join(PROJECT, 'test/vectors/keys', `${name}.pem`))
function signer(kid: number): KeyshareSigner {
  const privateKey = createPrivateKey(pem(`kss-${kid}.private`))
  return {
    issuer: 'demo_keyshare_server',
    kid,
    privateKey,
    publicKey: createPublicKey(pem(`kss-${kid}.public`)),
  }
}
const [zero, one] = [signer(0), signer(1)]
const TOKEN_ID = new Uint8Array(32).fill(0xaa)
const TIMES = { nowSec: NOW_SEC, validitySec: 900 }
const PROOF = { P: 1n, c: 2n, sResponse: 3n }
const headerOf = (jwt: string): string => Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()
const claimsText = (jwt: string): string => Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()

const Authentication = suite('authentication JWTs (spec/interface#2.12, spec/keyshare-server#7.1, #7.2)')

Authentication('header and claims are those of the specification, in their order', async () => {
  const jwt = await signAuthentication(TOKEN_ID, TIMES, one)
  assert.is(headerOf(jwt), '{"alg":"RS256","kid":"1","typ":"JWT"}')
  assert.is(
    claimsText(jwt),
    `{"exp":${NOW_SEC + 900},"iat":${NOW_SEC},"iss":"demo_keyshare_server","sub":"auth_tok","token_id":"${Buffer.from(TOKEN_ID).toString('base64')}"}`,
  )
})

Authentication(
  'a JWT gives its token id until it expires, and only to a reader with the key that signed it',
  async () => {
    const jwt = await signAuthentication(TOKEN_ID, TIMES, zero)
    for (const at of [NOW_SEC - 10, NOW_SEC, NOW_SEC + 899])
      assert.equal(await tokenIdIn(jwt, zero, at), TOKEN_ID)
    await refusedWith(() => tokenIdIn(jwt, zero, NOW_SEC + 900), InvalidRequestError, /exp in the future/)
    await refusedWith(
      () => tokenIdIn(jwt, zero, NOW_SEC - 11),
      InvalidRequestError,
      /an iat that is not of the future/,
    )
    await refusedWith(
      () => tokenIdIn(jwt, one, NOW_SEC),
      InvalidRequestError,
      /RS256 and the right key, got another$/,
    )
  },
)

const RIGHT = {
  exp: NOW_SEC + 60,
  iat: NOW_SEC,
  iss: 'x',
  sub: 'auth_tok',
  token_id: Buffer.from(TOKEN_ID).toString('base64'),
}
const signed = (claims: object, header: object = {}) =>
  signedText(JSON.stringify({ ...RIGHT, ...claims }), { alg: 'RS256', ...header }, zero.privateKey)

Authentication('claims that are missing, mistyped or of another purpose are refused', async () => {
  assert.equal(await tokenIdIn(await signed({}), zero, NOW_SEC), TOKEN_ID)
  for (const [claims, message] of [
    [{ sub: 'ProofP' }, /expected the subject auth_tok/],
    [{ sub: undefined }, /expected the subject auth_tok/],
    [{ exp: undefined }, /expected an exp, got none$/],
    [{ exp: null }, /expected an exp, got none$/],
    [{ exp: String(NOW_SEC + 60) }, /exp: expected a number/],
    [{ nbf: NOW_SEC + 11 }, /an nbf that is not of the future/],
    [{ token_id: undefined }, /a token_id of 32 bytes/],
    [{ token_id: 5 }, /token_id: expected a string/],
    [{ token_id: Buffer.alloc(31).toString('base64') }, /a token_id of 32 bytes/],
    [{ token_id: Buffer.alloc(48).toString('base64') }, /^token_id/],
    [{ token_id: RIGHT.token_id.replace('=', '') }, /^token_id: expected base64 with padding/],
  ] as const)
    await refusedWith(
      async () => tokenIdIn(await signed(claims), zero, NOW_SEC),
      InvalidRequestError,
      message,
    )
})

Authentication('a ProofP JWT of the same key is not accepted as an authentication JWT', async () => {
  const jwt = await signProof(PROOF, NOW_SEC, zero)
  await refusedWith(() => tokenIdIn(jwt, zero, NOW_SEC), InvalidRequestError, /expected the subject auth_tok/)
})

Authentication(
  'RS256 is the only algorithm: others, alg none, and HS256 with the public key as secret are refused',
  async () => {
    const text = JSON.stringify(RIGHT)
    const secret = pem('kss-0.public')
    const unsigned = (header: object) =>
      `${[JSON.stringify(header), text].map(part => Buffer.from(part).toString('base64url')).join('.')}.`
    for (const jwt of [
      await signedText(text, { alg: 'HS256' }, secret),
      await signedText(text, { alg: 'RS512' }, zero.privateKey),
      await signedText(text, { alg: 'PS256' }, zero.privateKey),
      await signedText(text, { alg: 'ES256' }, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      unsigned({ alg: 'none' }),
      unsigned({ alg: 'RS256' }),
      'x',
      '',
    ])
      await refusedWith(() => tokenIdIn(jwt, zero, NOW_SEC), InvalidRequestError, /^JWT: expected/)
  },
)

const Proofs = suite('ProofP JWTs (spec/interface#2.12, spec/keyshare-server#3.6, #7.3)')

Proofs('header and claims are those of the specification, in their order, and nothing else', async () => {
  const jwt = await signProof(PROOF, NOW_SEC, zero)
  assert.is(headerOf(jwt), '{"alg":"RS256","kid":"0","typ":"JWT"}')
  assert.is(
    claimsText(jwt),
    `{"ProofP":{"P":"AQ==","c":"Ag==","s_response":"Aw=="},"iat":${NOW_SEC},"iss":"demo_keyshare_server","sub":"ProofP"}`,
  )
  const together = await signProof({ ...PROOF, P: null }, NOW_SEC, zero)
  assert.equal(Object.keys((claimsIn(together) as { ProofP: object }).ProofP), ['c', 's_response'])
})

Proofs('a session server verifies a ProofP JWT with the key of its number, 0 or another', async () => {
  const keyshareKeys = new Map([
    [0, zero.publicKey],
    [1, one.publicKey],
  ])
  const scheme = { id: parseSchemeId('svc-keyshare'), keyshareKeys }
  for (const each of [zero, one])
    for (const proof of [PROOF, { ...PROOF, P: null }])
      assert.equal(await readKeyshareJwt(await signProof(proof, NOW_SEC, each), scheme, NOW_SEC), proof)
})

Authentication.run()
Proofs.run()
