/** The member `jwks` of a client: its public keys. */
import { generateKeyPairSync } from 'node:crypto'
import { suite } from '../../suite.ts'
import { CLIENT, refused } from './values.ts'

const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits })
const { privateKey, publicKey } = rsa(2048)
const PRIVATE = privateKey.export({ format: 'jwk' })
const PUBLIC = publicKey.export({ format: 'jwk' })
const EC = (namedCurve: string) =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' })
const KEYED = { client_secret: undefined, token_endpoint_auth_method: 'private_key_jwt' }

const at = 'clients[0]'
const Keys = suite('settings of sign-in: keys of clients')

Keys('keys of a client are public, and strong', () => {
  const jwks = (key: object) => ({ clients: [{ ...CLIENT, ...KEYED, jwks: { keys: [key] } }] })
  const shared = `${at}.jwks: key 1: expected a public key, got a private or a shared one; the client must keep it`
  refused(jwks(PRIVATE), shared)
  refused(jwks({ kty: 'oct', k: 'AAAA' }), shared)
  const weak =
    /^clients\[0\]\.jwks: key 1: expected an RSA key of at least 2048 bits or a key on P-256, Ed25519, got /
  for (const key of [
    rsa(1024).publicKey.export({ format: 'jwk' }),
    EC('secp256k1'),
    EC('P-384'),
    { kty: 'RSA' },
  ])
    refused(jwks(key), weak)
})

for (const [members, message] of [
  [{ kid: 5 }, 'kid: expected text, got a number'],
  [{ use: 5 }, 'use: expected "sig", got another value'],
  [{ use: 'enc' }, 'use: expected "sig", got another value'],
  [{ alg: {} }, 'alg: expected ES256, got another value'],
  [{ alg: 'RS256' }, 'alg: expected ES256, got another value'],
  [{ key_ops: 'x' }, 'key_ops: expected a list with "verify", got another value'],
  [{ key_ops: ['sign'] }, 'key_ops: expected a list with "verify", got another value'],
] as const)
  Keys(`a key of a client is for its assertions: ${JSON.stringify(members)}`, () => {
    const jwks = { keys: [PUBLIC, { ...EC('P-256'), ...members }] }
    refused({ clients: [{ ...CLIENT, ...KEYED, jwks }] }, `${at}.jwks: key 2: ${message}`)
  })

Keys.run()
