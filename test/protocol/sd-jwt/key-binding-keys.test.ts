/** Key-binding keys of wallet apps: public keys are accepted, without additional members. Any other value is refused, and not quoted in the error. @module */
import { type createPrivateKey, generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { readKeyBindingKeys } from '../../../protocol/sd-jwt/key-binding-keys.ts'
import { ShapeError } from '../../../protocol/shape.ts'
import { suite } from '../../suite.ts'

const CURVES = ['P-256', 'P-384', 'P-521']

type Jwk = Readonly<Record<string, string>>

function jwkOf(key: ReturnType<typeof createPrivateKey>): Jwk {
  return JSON.parse(JSON.stringify(key.export({ format: 'jwk' })))
}

function pair(namedCurve: string): { readonly open: Jwk; readonly secret: Jwk } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  return { open: jwkOf(publicKey), secret: jwkOf(privateKey) }
}

const { open: P256, secret: SECRET } = pair('P-256')
const ED = jwkOf(generateKeyPairSync('ed25519').publicKey)
const RSA = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)

const Keys = suite('key-binding keys (spec/session-server#18)')

Keys('absent, null and an empty list are no keys', () => {
  for (const none of [undefined, null, []]) assert.equal(readKeyBindingKeys(none), [])
})

Keys('a point of each curve, an Ed25519 key and an RSA key are accepted', () => {
  for (const curve of CURVES)
    for (let i = 0; i < 10; i++) {
      const { open } = pair(curve)
      const { crv, kty, x, y } = open
      assert.equal(JSON.stringify(readKeyBindingKeys([open])), JSON.stringify([{ crv, kty, x, y }]))
    }
  assert.equal(readKeyBindingKeys([ED, RSA]), [
    { crv: 'Ed25519', kty: 'OKP', x: ED.x },
    { e: RSA.e, kty: 'RSA', n: RSA.n },
  ])
})

Keys('additional members are left out', () => {
  const [key] = readKeyBindingKeys([{ ...P256, kid: 'a', use: 'sig', key_ops: ['verify'], number: 5 }])
  assert.equal(Object.keys(key ?? {}), ['crv', 'kty', 'x', 'y'])
})

const other = (name: string, value: unknown) => ({ ...P256, [name]: value })
const { y: ANOTHER_Y } = pair('P-256').open
const WRONG: Readonly<Record<string, unknown>> = {
  'a private key': SECRET,
  'an RSA key with a private part': { ...RSA, dp: 'AQ' },
  'a secret key': { kty: 'oct', k: 'c2VjcmV0' },
  'a text': 'key',
  null: null,
  'an empty object': {},
  'an unknown key type': other('kty', 'XX'),
  'an unknown curve': other('crv', 'secp256k1'),
  'no y': other('y', undefined),
  'a y that is no text': other('y', 5),
  'another point': other('y', ANOTHER_Y),
  'a short x': other('x', P256.x?.slice(0, 40)),
  'a long x': other('x', `${P256.x}AA`),
  padding: other('x', `${P256.x}=`),
  'characters outside of Base64url': other('x', `*${P256.x?.slice(1)}`),
  'coordinates of the modulus': { ...P256, x: '_____wAAAAEAAAAAAAAAAAAAAAD_______________8' },
  'a short Ed25519 key': { ...ED, x: 'AQ' },
  X25519: { ...ED, crv: 'X25519' },
  'a short modulus': { ...RSA, n: 'AQAB' },
  'an exponent of 0': { ...RSA, e: 'AA' },
  'an exponent of 1': { ...RSA, e: 'AQ' },
  'an even exponent': { ...RSA, e: 'AQAA' },
  'a long exponent': { ...RSA, e: 'AQAB'.repeat(4) },
}

for (const [what, key] of Object.entries(WRONG))
  Keys(`${what} is refused`, () => {
    const given = JSON.parse(JSON.stringify([P256, key]))
    assert.throws(
      () => readKeyBindingKeys(given),
      (error: unknown) =>
        error instanceof ShapeError &&
        /^keybinding_pub_keys\[1\]/.test(error.message) &&
        !error.message.includes(P256.x ?? '') &&
        !error.message.includes(SECRET.d ?? ''),
    )
  })

Keys('a value that is no list is refused', () => {
  for (const wrong of [{}, 'x', 5, true]) assert.throws(() => readKeyBindingKeys(wrong), /expected a list/)
})

Keys.run()
