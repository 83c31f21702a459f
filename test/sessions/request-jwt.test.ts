/** Signed session requests (spec/interface#5.1 rule 3, spec/session-server#6.4): recorded ones, and edge cases of each rule. @module */
import { createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompactSign } from 'jose'
import * as assert from 'uvu/assert'
import { InvalidRequestError, RemoteError, UnauthorizedError } from '../../protocol/errors.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { type JwtRequestor, sessionRequestOf, verifyRequestJwt } from '../../sessions/request-jwt.ts'
import { PROJECT } from '../project.ts'
import { transcript } from '../protocol/recorded.ts'
import { suite } from '../suite.ts'

const recorded = transcript('auth-jwt', 'irma')
const SECRET = createSecretKey(Buffer.from('shared secret of the hmac requestor'))
const RSA = createPublicKey(readFileSync(join(PROJECT, 'test/vectors/keys/requestor-rs256.public.pem')))
const REQUESTORS: readonly JwtRequestor[] = [
  { name: 'hmacshop', method: 'hmac', key: SECRET },
  { name: 'rsashop', method: 'publickey', key: RSA },
]
const NOW_SEC = recorded.recordedAt

async function verify(text: string, nowSec = NOW_SEC) {
  const facts = { nowSec, maxRequestAgeSec: 300, profile: PROFILES.irma }
  const { requestor, asked: extended } = await verifyRequestJwt(text, REQUESTORS, facts, sessionRequestOf)
  return { requestor, extended }
}

const REQUEST = {
  '@context': 'https://irma.app/ld/request/disclosure/v2',
  disclose: [[['svc-demo.gov.idcard.over18']]],
}
const CLAIMS = { iat: NOW_SEC, iss: 'hmacshop', sub: 'verification_request', sprequest: { request: REQUEST } }

function sign(
  claims: object | string | Buffer,
  header: object = {},
  key: KeyObject = SECRET,
): Promise<string> {
  const isText = typeof claims === 'string' || Buffer.isBuffer(claims)
  const payload = isText ? claims : JSON.stringify({ ...CLAIMS, ...claims })
  return new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: 'HS256', ...header }).sign(key)
}

async function refused(
  kind: new () => RemoteError,
  message: RegExp,
  jwt: string,
  nowSec?: number,
): Promise<void> {
  try {
    await verify(jwt, nowSec)
  } catch (error) {
    assert.ok(error instanceof kind && message.test(error.message), `${error} -> ${message}`)
    return
  }
  assert.unreachable(`expected ${message}`)
}

/** The recorded answers, as outcomes of this step alone; crashes of the recorded server are refusals here (spec/session-server#q4). */
const REFUSALS: Readonly<Record<string, readonly [new () => RemoteError, RegExp]>> = {
  'kid not a string': [InvalidRequestError, /^requestor name was not a string/],
  'unknown requestor': [
    InvalidRequestError,
    /^Unknown requestor: nobody: expected one with auth_method hmac, because the JWT has the algorithm HS256$/,
  ],
  'no iss': [InvalidRequestError, /^Unknown requestor: : expected one with auth_method hmac/],
  'requestor of the other method': [
    InvalidRequestError,
    /^Unknown requestor: rsashop: expected one with auth_method hmac, because the JWT has the algorithm HS256$/,
  ],
  'wrong secret': [InvalidRequestError, /^signature is invalid/],
  'wrong RSA key': [InvalidRequestError, /^signature is invalid/],
  HS384: [InvalidRequestError, /^request could not be authenticated/],
  RS512: [InvalidRequestError, /^request could not be authenticated/],
  PS256: [InvalidRequestError, /^request could not be authenticated/],
  none: [InvalidRequestError, /^request could not be authenticated/],
  'too old': [
    UnauthorizedError,
    /^jwt too old: expected an iat at most 300 s ago, got one \d+ s ago; sign each request when it is sent$/,
  ],
  'no iat': [
    UnauthorizedError,
    /^jwt too old: expected an iat at most 300 s ago, got none; sign each request when it is sent$/,
  ],
  'iat in the future': [InvalidRequestError, /^token used before issued/],
  expired: [InvalidRequestError, /^token is expired/],
  'nbf in the future': [InvalidRequestError, /^token is not valid yet/],
  'unknown sub': [InvalidRequestError, /^Invalid session type/],
  'no sub': [InvalidRequestError, /^Invalid session type/],
  'request field missing': [InvalidRequestError, /^Invalid JWT body/],
  'sub and field do not fit': [InvalidRequestError, /^Invalid JWT body/],
  'bare request without wrapper': [InvalidRequestError, /^Invalid JWT body/],
  'request of another type in the field': [
    InvalidRequestError,
    /^Invalid JWT body: expected a request of type disclosing/,
  ],
  'invalid request': [InvalidRequestError, /^Invalid JWT body: Disclosure request had no attributes/],
  'not a JWT': [InvalidRequestError, /^request could not be authenticated/],
}
/** Cases that a later or earlier step decides. */
const ELSEWHERE = ['attribute not permitted', 'empty', 'JWT as application/json', 'JWT with Authorization']

const Signed = suite('signed session requests')

Signed('every recorded JWT gives its requestor and request, or is refused as recorded', async () => {
  const posts = recorded.exchanges.filter(({ request }) => request.path === '/session')
  let accepted = 0
  for (const { request, response, note = '' } of posts) {
    const refusal = REFUSALS[note]
    if (refusal !== undefined) await refused(...refusal, request.raw ?? '')
    else if (!ELSEWHERE.includes(note)) {
      const { requestor, extended } = await verify(request.raw ?? '')
      assert.is(requestor, note === 'RS256' ? 'rsashop' : 'hmacshop', note)
      const { svcqr, irmaqr = svcqr } = Object(response?.body).sessionPtr
      assert.is(extended.request.type, irmaqr, note)
      accepted++
    }
  }
  assert.is(accepted, 13)
})

Signed('the extended request in the JWT and its options are read', async () => {
  const sprequest = { request: REQUEST, validity: 60, timeout: 5, nextSession: { url: 'x' } }
  const { extended } = await verify(await sign({ sprequest }))
  assert.equal([extended.validitySec, extended.timeoutSec, extended.nextSession], [60, 5, { url: 'x' }])
})

Signed('kid has precedence over iss, and must be a text', async () => {
  assert.is((await verify(await sign({ iss: 'x' }, { kid: 'hmacshop' }))).requestor, 'hmacshop')
  await refused(
    InvalidRequestError,
    /^Unknown requestor: nobody: expected one with auth_method hmac, because the JWT has the algorithm HS256$/,
    await sign({}, { kid: 'nobody' }),
  )
  await refused(InvalidRequestError, /^requestor name was not a string/, await sign({}, { kid: null }))
  await refused(
    InvalidRequestError,
    /^JWT: iss: expected a string, got a list/,
    await sign({ iss: ['hmacshop'] }),
  )
})

Signed('claims that are not UTF-8 are refused, although the requestor has signed them', async () => {
  const claims = Buffer.from(JSON.stringify({ ...CLAIMS, note: '\u00e9' }), 'latin1')
  await refused(InvalidRequestError, /^JWT: its claims: expected UTF-8, got other bytes$/, await sign(claims))
})

Signed('a request is accepted from 10 s before its iat until its maximum age', async () => {
  const jwt = await sign({})
  await verify(jwt, NOW_SEC + 300)
  await refused(UnauthorizedError, /^jwt too old: expected an iat at most 300 s ago/, jwt, NOW_SEC + 301)
  await verify(jwt, NOW_SEC - 10)
  await refused(
    InvalidRequestError,
    /^token used before issued: expected an iat at most 10 s ahead, got one 11 s ahead; compare the clocks of both servers$/,
    jwt,
    NOW_SEC - 11,
  )
})

Signed(
  'exp and nbf are checked, with 10 s of tolerance; 0 means absent; of two errors, nbf is reported',
  async () => {
    await verify(await sign({ exp: NOW_SEC - 9, nbf: NOW_SEC + 10 }))
    await verify(await sign({ exp: 0, nbf: 0 }))
    await refused(
      InvalidRequestError,
      /^token is expired: expected an exp in the future, got one 10 s ago; compare/,
      await sign({ exp: NOW_SEC - 10 }),
    )
    await refused(
      InvalidRequestError,
      /^token is not valid yet: expected an nbf at most 10 s ahead, got one 11 s ahead; compare/,
      await sign({ exp: 1, nbf: NOW_SEC + 11 }),
    )
  },
)

Signed('times are numbers of seconds', async () => {
  for (const name of ['exp', 'iat', 'nbf'])
    for (const value of ['5', -1, -0.5, 2 ** 60, true])
      await refused(
        InvalidRequestError,
        new RegExp(`^JWT: ${name}: expected a number of seconds`),
        await sign({ [name]: value }),
      )
})

Signed('times may have a fraction, which is not rounded away', async () => {
  await verify(await sign({ iat: NOW_SEC - 0.5, nbf: NOW_SEC - 299.5, exp: NOW_SEC + 0.5 }))
  await verify(await sign({ iat: NOW_SEC + 9.5, nbf: NOW_SEC + 9.999, exp: NOW_SEC - 9.5 }))
  await refused(
    InvalidRequestError,
    /^token used before issued: .* got one 11 s ahead/,
    await sign({ iat: NOW_SEC + 10.1 }),
  )
  await refused(
    InvalidRequestError,
    /^token is not valid yet: .* got one 11 s ahead/,
    await sign({ nbf: NOW_SEC + 10.1 }),
  )
  await refused(
    InvalidRequestError,
    /^token is expired: .* got one 11 s ago/,
    await sign({ exp: NOW_SEC - 10.1 }),
  )
  await refused(UnauthorizedError, /^jwt too old: .* got one 301 s ago/, await sign({ iat: NOW_SEC - 300.1 }))
})

Signed('a time may be written with .0, an integer of the request may not', async () => {
  const payload = JSON.stringify({ ...CLAIMS, sprequest: { timeout: 100, request: REQUEST } })
  const written = (name: string, number: number) =>
    payload.replace(`"${name}":${number}`, `"${name}":${number}.0`)
  await verify(await sign(written('iat', NOW_SEC)))
  await refused(InvalidRequestError, /timeout: expected an integer/, await sign(written('timeout', 100)))
})

Signed('a missing or wrong request field is refused', async () => {
  for (const sprequest of [
    undefined,
    null,
    5,
    [],
    'x',
    {},
    { request: 5 },
    REQUEST,
    { ...REQUEST, request: REQUEST },
  ])
    await refused(
      InvalidRequestError,
      /^Invalid JWT body: expected an extended session request/,
      await sign({ sprequest }),
    )
  await refused(InvalidRequestError, /^Invalid session type/, await sign({ sub: ['verification_request'] }))
})

Signed('a text that is no JWT with JSON objects and a signature is refused', async () => {
  for (const text of ['', 'a', 'a.b', 'a.b.c', '..', 'a.b.c.d', '{}', 'e30.e30.=', `${await sign({})}x`])
    await refused(
      InvalidRequestError,
      /^(request could not be authenticated|JWT:|JSON:|signature is invalid)/,
      text,
    )
  await refused(InvalidRequestError, /^JWT: its claims: expected an object, got a list/, await sign('[]'))
  await refused(InvalidRequestError, /another member name than __proto__/, await sign('{"__proto__":{}}'))
})

Signed('each of the three parts may have only characters of Base64url', async () => {
  const [header, claims, signature] = (await sign({})).split('.')
  for (const jwt of [`${header}+.${claims}.${signature}`, `${header}.${claims}.${signature}=`])
    await refused(InvalidRequestError, /expected a JWT of three parts$/, jwt)
})

Signed('an empty @context beside the request counts as absent', async () => {
  for (const context of ['', null])
    await verify(await sign({ sprequest: { '@context': context, request: REQUEST } }))
})

Signed('a header with crit is refused, because it could change the meaning of the signature', async () => {
  const jwt = await sign({}, { crit: ['b64'], b64: true })
  await refused(InvalidRequestError, /expected no crit in its header/, jwt)
})

Signed(
  'the auth_method of the requestor decides the algorithm: no HMAC with a public key as the secret',
  async () => {
    const pem = createSecretKey(Buffer.from(RSA.export({ type: 'spki', format: 'pem' })))
    await refused(InvalidRequestError, /^Unknown requestor: rsashop/, await sign({ iss: 'rsashop' }, {}, pem))
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwt = await sign({ iss: 'rsashop' }, { alg: 'RS256' }, privateKey)
    await refused(InvalidRequestError, /^signature is invalid: expected RS256/, jwt)
  },
)

Signed('white space around the JWT is ignored', async () => {
  await verify(` \n${await sign({})}\r\n`)
})

Signed('no error quotes the signed text', async () => {
  const secret = { sprequest: { request: { ...REQUEST, disclose: 'SECRET' } } }
  try {
    await verify(await sign(secret))
    assert.unreachable()
  } catch (error) {
    assert.ok(error instanceof RemoteError)
    assert.not(`${error.stack}${error.cause}`.includes('SECRET'))
  }
})

Signed.run()
