/** The JWT of a keyshare server at the issuer (spec/interface#4.6 rule 4; spec/cryptography#11.3). @module */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompactSign } from 'jose'
import * as assert from 'uvu/assert'
import { KeyshareProofMissingError, MalformedInputError } from '../../protocol/errors.ts'
import { parseSchemeId } from '../../protocol/ids.ts'
import { readKeyshareJwt } from '../../sessions/keyshare-jwt.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { refusal, refusedWith } from './refusal.ts'

const [KEY_0, KEY_1] = [readKey('kss-0'), readKey('kss-1')]
const NOW_SEC = 1_795_262_315
const PROOF = { P: 'AQ==', c: 'Ag==', s_response: 'Aw==' }
const CLAIMS = { ProofP: PROOF, iat: NOW_SEC, iss: 'demo_keyshare_server', sub: 'ProofP' }
const scheme = {
  id: parseSchemeId('svc-keyshare'),
  keyshareKeys: new Map([
    [0, createPublicKey(KEY_0)],
    [1, createPublicKey(KEY_1)],
  ]),
}

function readKey(name: string): KeyObject {
  return createPrivateKey(readFileSync(join(PROJECT, `test/vectors/keys/${name}.private.pem`)))
}

type Header = { readonly alg?: string; readonly kid?: unknown; readonly typ?: string }

async function signed(
  claims: object | string | Buffer,
  header: Header = { kid: '0' },
  key = KEY_0,
): Promise<string> {
  const isText = typeof claims === 'string' || Buffer.isBuffer(claims)
  const text = isText ? claims : JSON.stringify(claims)
  const all: object = { alg: 'RS256', ...header }
  return new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'RS256', ...all }).sign(key)
}

function read(jwt: string | null): Promise<unknown> {
  return readKeyshareJwt(jwt, scheme, NOW_SEC)
}

function changed(claims: object): Promise<string> {
  return signed({ ...CLAIMS, ...claims })
}

const Jwt = suite('the JWT of a keyshare server')

Jwt('its proof is read, integers as Base64 or as JSON integers of any size', async () => {
  assert.equal(await read(await signed(CLAIMS)), { P: 1n, c: 2n, sResponse: 3n })
  const large = 2n ** 640n - 1n
  const text = JSON.stringify(CLAIMS).replace('"Aw=="', String(large))
  assert.equal(await read(await signed(text)), { P: 1n, c: 2n, sResponse: large })
})

Jwt('P may be left out: the response then covers the whole secret', async () => {
  const { c, s_response } = PROOF
  assert.equal(await read(await changed({ ProofP: { c, s_response } })), { P: null, c: 2n, sResponse: 3n })
})

Jwt('kid is the number of the key, as text or as number, and 0 if absent', async () => {
  for (const [kid, key] of [
    ['0', KEY_0],
    [undefined, KEY_0],
    ['1', KEY_1],
    [1, KEY_1],
  ] as const)
    assert.equal(await read(await signed(CLAIMS, { kid }, key)), { P: 1n, c: 2n, sResponse: 3n })
  for (const kid of [
    '1',
    '9',
    'x',
    '',
    '00',
    ' 0',
    '../kss-0',
    1,
    9,
    0.5,
    -0.5,
    true,
    null,
    ['0'],
    { n: 0 },
  ]) {
    const jwt = await signed(CLAIMS, { kid })
    if (kid === null)
      assert.ok(await read(jwt)) // null is absent
    else await refusedWith(() => read(jwt), KeyshareProofMissingError)
  }
})

Jwt('other algorithms than RS256 are refused', async () => {
  const refused = [
    await signed(CLAIMS, { alg: 'RS512', kid: '0' }),
    await signed(CLAIMS, { alg: 'PS256', kid: '0' }),
    `${Buffer.from('{"alg":"none","kid":"0"}').toString('base64url')}.${Buffer.from(JSON.stringify(CLAIMS)).toString('base64url')}.`,
  ]
  for (const jwt of refused)
    await refusedWith(
      () => read(jwt),
      KeyshareProofMissingError,
      'invalid keyshare proof included for scheme svc-keyshare: expected a JWT that its keyshare server signed with RS256, got something else',
    )
})

Jwt('a missing, malformed, changed or foreign JWT is KEYSHARE_PROOF_MISSING and 403', async () => {
  const jwt = await signed(CLAIMS)
  const [header, , signature] = jwt.split('.')
  const other = (await changed({ iat: 1 })).split('.')[1]
  const broken = ['', 'x', 'a.b', 'a.b.c', '..', `${jwt}.x`, `${jwt.slice(0, -6)}AAAAAA`, 'ü.ü.ü']
  for (const text of [
    ...broken,
    `${header}.${other}.${signature}`,
    await signed(CLAIMS, { kid: '0' }, KEY_1),
  ]) {
    const error = await refusal(() => read(text))
    assert.equal([error.type, error.status], ['KEYSHARE_PROOF_MISSING', 403])
    assert.not.match(error.message, /eyJ|kss-|ü/)
  }
  await refusedWith(
    () => read(null),
    KeyshareProofMissingError,
    'no keyshare proof included for scheme svc-keyshare: expected its JWT',
  )
})

Jwt('its subject must be ProofP, so that no other JWT of the keyshare server is accepted', async () => {
  for (const sub of ['auth_tok', '', null, 5, undefined])
    await refusedWith(
      async () => read(await changed({ sub })),
      KeyshareProofMissingError,
      /expected the subject ProofP/,
    )
})

Jwt('iat and nbf may be up to 30 s in the future, and exp less than 10 s in the past', async () => {
  for (const claims of [
    { iat: NOW_SEC + 30 },
    { iat: NOW_SEC + 29.5, nbf: NOW_SEC - 0.5, exp: NOW_SEC + 0.5 },
    { iat: undefined },
    { nbf: NOW_SEC + 30 },
    { exp: NOW_SEC - 9 },
  ])
    assert.ok(await read(await changed(claims)))
  for (const claims of [{ iat: NOW_SEC + 31 }, { nbf: NOW_SEC + 31 }, { iat: '1' }, { nbf: null }])
    await refusedWith(
      async () => read(await changed(claims)),
      KeyshareProofMissingError,
      /got one of the future$/,
    )
  for (const claims of [{ exp: NOW_SEC - 10 }, { exp: '9999999999' }])
    await refusedWith(
      async () => read(await changed(claims)),
      KeyshareProofMissingError,
      /got an expired one$/,
    )
})

Jwt('signed claims without a keyshare proof are MALFORMED_INPUT', async () => {
  const { P, c, s_response } = PROOF
  for (const ProofP of [
    undefined,
    null,
    [],
    'x',
    { P, c },
    { P, s_response },
    { P: '?', c, s_response },
    { P, c, s_response: -1 },
  ])
    await refusedWith(async () => read(await changed({ ProofP })), MalformedInputError, /^ProofP/)
  for (const text of ['', 'null', '[]', '{"sub":'])
    await refusedWith(async () => read(await signed(text)), KeyshareProofMissingError)
})

Jwt(
  'a header and claims that are not UTF-8 are refused, although the keyshare server signed them',
  async () => {
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, note: '\u00e9' }), 'latin1')
    await refusedWith(
      async () => read(await signed(claims)),
      KeyshareProofMissingError,
      'keyshare JWT: expected UTF-8, got other bytes',
    )
    const head = Buffer.from('{"alg":"RS256","kid":"0","typ":"\u00e9"}', 'latin1').toString('base64url')
    const text = `${head}.${Buffer.from(JSON.stringify(CLAIMS)).toString('base64url')}`
    const signature = sign('sha256', Buffer.from(text), KEY_0).toString('base64url')
    await refusedWith(
      () => read(`${text}.${signature}`),
      KeyshareProofMissingError,
      /expected a JWT that its keyshare server signed with RS256, got something else$/,
    )
  },
)

Jwt.run()
