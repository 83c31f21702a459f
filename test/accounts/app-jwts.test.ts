import { createPublicKey, ECDH } from 'node:crypto'
import * as assert from 'uvu/assert'
import { appClaims, checkLoginStart, selfSignedClaims, userNameIn } from '../../accounts/app-jwts.ts'
import { deviceKey } from '../../accounts/device-keys.ts'
import { InvalidRequestError } from '../../protocol/errors.ts'
import { refusedWith } from '../sessions/refusal.ts'
import { suite } from '../suite.ts'
import { appJwt, forcedJwt, NOW_SEC, newDevice, signedText } from './jwts.ts'

const device = newDevice()
const other = newDevice()
const CLAIMS = { id: 'alice', pin: 'secret-pin' }
const jwt = await appJwt(CLAIMS, device)
const read = (text: string) => appClaims(text, device.der, NOW_SEC)
const refused = (text: string | Promise<string>, message?: RegExp) =>
  refusedWith(async () => read(await text), InvalidRequestError, message)

const Signed = suite('JWTs of the wallet app (spec/keyshare-server#3.5)')

Signed('claims are those that the registered device has signed', async () => {
  assert.equal(await read(jwt), CLAIMS)
  assert.is(userNameIn(jwt), 'alice')
  await refused(appJwt(CLAIMS, other), /expected a signature with ES256 and the right key, got another$/)
})

Signed('every changed part is refused', async () => {
  const [header, , signature = ''] = jwt.split('.')
  const claims = Buffer.from(JSON.stringify({ ...CLAIMS, id: 'bob' })).toString('base64url')
  await refused(`${header}.${claims}.${signature}`)
  await refused(jwt.slice(0, -4))
  await refused(`${jwt}AAAA`)
  await refused(jwt.replace(/\.[^.]*$/, '.'))
  await refused(`${jwt.slice(0, -86)}${'A'.repeat(86)}`) // r = s = 0
})

Signed('no other algorithm is accepted, even if the header names it and the key supports it', async () => {
  await refused(forcedJwt(CLAIMS, device, { alg: 'none', typ: 'JWT' }))
  await refused(forcedJwt(CLAIMS, device, { alg: 'ES384', typ: 'JWT' }))
  await refused(forcedJwt(CLAIMS, device, { typ: 'JWT' }))
  await refused(signedText(JSON.stringify(CLAIMS), { alg: 'HS256' }, device.der))
  assert.equal(await read(forcedJwt(CLAIMS, device, { alg: 'ES256' })), CLAIMS) // without typ, and signed without a library
})

Signed('a header that changes which bytes are signed is refused', async () => {
  await refused(forcedJwt(CLAIMS, device, { alg: 'ES256', crit: ['b64'], b64: true }), /no crit/)
})

Signed('a text that is no JWT is refused, and the error never quotes it', async () => {
  for (const text of [
    '',
    'x',
    'a.b',
    'a.b.c',
    'a.b.c.d',
    `${jwt}.x`,
    `${jwt} `,
    `Bearer ${jwt}`,
    jwt.replace('.', '=.'),
  ])
    await refused(text)
  for (const text of ['', '{', '[]', 'null', '"secret-pin"', '{"id":"secret-pin"} x'])
    await refusedWith(
      async () => read(await signedText(text, {}, device.privateKey)),
      InvalidRequestError,
      /^(?!.*secret-pin)/,
    )
  await refusedWith(() => userNameIn('a.b.c'), InvalidRequestError)
})

Signed(
  'a header and claims that are not UTF-8 are refused, although the device has signed them',
  async () => {
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, name: 'Ren\u00e9' }), 'latin1')
    const signed = signedText(claims, {}, device.privateKey)
    await refused(signed, /^JWT: claims: expected UTF-8, got other bytes$/)
    await refusedWith(async () => userNameIn(await signed), InvalidRequestError, /expected UTF-8/)
    const head = Buffer.from('{"alg":"ES256","typ":"\u00e9"}', 'latin1').toString('base64url')
    await refused(jwt.replace(/^[^.]*/, head), /^JWT: header: expected UTF-8, got other bytes$/)
  },
)

Signed('exp must be in the future, iat and nbf at most 10 s ahead; each of them may be missing', async () => {
  for (const times of [
    { exp: NOW_SEC + 1 },
    { iat: NOW_SEC + 10 },
    { nbf: NOW_SEC + 10 },
    { exp: null, iat: null },
    { exp: NOW_SEC + 0.5 },
    { iat: NOW_SEC + 9.5, nbf: NOW_SEC - 0.5 },
  ])
    assert.ok(await read(await appJwt({ ...CLAIMS, ...times }, device)))
  for (const exp of [NOW_SEC, 0, NOW_SEC - 0.5])
    await refused(appJwt({ ...CLAIMS, exp }, device), /expected an exp in the future/)
  for (const name of ['iat', 'nbf'])
    await refused(
      appJwt({ ...CLAIMS, [name]: NOW_SEC + 11 }, device),
      new RegExp(`an ${name} that is not of the future`),
    )
  for (const name of ['exp', 'iat', 'nbf'])
    for (const time of ['9999999999', true, [9999999999]])
      await refused(appJwt({ ...CLAIMS, [name]: time }, device), new RegExp(`${name}: expected a number`))
  await refused(signedText('{"exp":9999999999999999999}', {}, device.privateKey), /exp: expected a number/)
})

const Start = suite('requests to log in (spec/keyshare-server#6.1)')
const start = async (claims: object, by = device) =>
  checkLoginStart(await appJwt({ id: 'alice', ...claims }, by), device.der, NOW_SEC)

Start(
  'a request is valid for six minutes at most, and may be used any number of times until it expires',
  async () => {
    const text = await appJwt({ id: 'alice', exp: NOW_SEC + 360 }, device)
    await checkLoginStart(text, device.der, NOW_SEC)
    await checkLoginStart(text, device.der, NOW_SEC + 359)
    await refusedWith(
      () => checkLoginStart(text, device.der, NOW_SEC + 360),
      InvalidRequestError,
      /an exp in the future/,
    )
    await refusedWith(() => start({ exp: NOW_SEC + 361 }), InvalidRequestError, /got a later one$/)
  },
)

Start('a request without exp, and a request of another device, is refused', async () => {
  await refusedWith(() => start({}), InvalidRequestError, /6m0s from now: .* got none$/)
  await refusedWith(() => start({ exp: null }), InvalidRequestError, /got none$/)
  await refusedWith(
    () => start({ exp: NOW_SEC + 60 }, other),
    InvalidRequestError,
    /the right key, got another$/,
  )
})

const Registration = suite('registrations, which their own key signs (spec/keyshare-server#4.1, #4.3)')
const publickey = Buffer.from(device.der).toString('base64')

Registration('the key in the claims must have signed them, and is returned unchanged', async () => {
  const { claims, deviceKey: der } = await selfSignedClaims(
    await appJwt({ pin: 'p', publickey }, device),
    NOW_SEC,
  )
  assert.is(claims.pin, 'p')
  assert.equal(Buffer.from(der), Buffer.from(device.der))
})

Registration(
  'a registration is refused without its key, if another key signed it, and if it has expired',
  async () => {
    const register = async (claims: object, by = device) =>
      selfSignedClaims(await appJwt(claims, by), NOW_SEC)
    await refusedWith(
      () => register({ publickey }, other),
      InvalidRequestError,
      /the right key, got another$/,
    )
    await refusedWith(() => register({}), InvalidRequestError, /^publickey: expected the DER/)
    await refusedWith(() => register({ publickey: '' }), InvalidRequestError, /^publickey: expected the DER/)
    await refusedWith(
      () => register({ publickey, exp: NOW_SEC }),
      InvalidRequestError,
      /an exp in the future/,
    )
  },
)

const Keys = suite('keys of devices (spec/keyshare-server#3.3)')

Keys('a key is an uncompressed point of P-256, and its key object is cached', () => {
  assert.is(device.der.length, 91)
  assert.is(deviceKey(device.der), deviceKey(Uint8Array.from(device.der)))
  assert.is.not(deviceKey(device.der), deviceKey(other.der))
  assert.ok(
    deviceKey(device.der).equals(
      createPublicKey({ key: Buffer.from(device.der), format: 'der', type: 'spki' }),
    ),
  )
})

Keys(
  'any other key is refused: another curve, RSA, another form of the point, or a point off the curve',
  () => {
    const hybrid = Buffer.from(device.der)
    hybrid[26] = 6 + ((hybrid[90] ?? 0) & 1)
    const off = Buffer.from(device.der)
    off[90] = (off[90] ?? 0) ^ 1
    const whole = Buffer.from(device.der).subarray(26)
    const point = Buffer.from(
      ECDH.convertKey(whole.toString('hex'), 'prime256v1', 'hex', 'hex', 'compressed').toString(),
      'hex',
    )
    const short = Buffer.concat([
      Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
      point,
    ])
    assert.ok(createPublicKey({ key: short, format: 'der', type: 'spki' })) // a valid key in another form
    assert.ok(createPublicKey({ key: hybrid, format: 'der', type: 'spki' }))
    // a curve with keys of the same length: only its name differs
    const named = Buffer.concat([
      Buffer.from('3059301306072a8648ce3d020106082a811ccf5501822d034200', 'hex'),
      whole,
    ])
    const wrong = [new Uint8Array(), newDevice('P-384').der, newDevice('secp256k1').der, short, hybrid, named]
    for (const der of [
      ...wrong,
      Buffer.concat([device.der, Buffer.alloc(1)]),
      Buffer.from(device.der).subarray(1),
    ])
      assert.throws(
        () => deviceKey(der),
        (error: Error) =>
          error instanceof InvalidRequestError && /the DER of a P-256 public key/.test(error.message),
      )
    assert.throws(
      () => deviceKey(off),
      (error: Error) => error instanceof InvalidRequestError && /a point of P-256/.test(error.message),
    )
  },
)

Signed.run()
Start.run()
Registration.run()
Keys.run()
