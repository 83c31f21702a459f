import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { refuseSharedTokens, requestorAuth, resultSignerOf } from '../../server/settings/keys.ts'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import type { OptionValues } from '../../server/settings/session-server.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { refused } from './refused.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-keys-'))
const perms = { disclose_perms: [], sign_perms: [], issue_perms: [], revoke_perms: [], host_perms: [] }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })

function options(values: Readonly<Record<string, unknown>>): OptionValues {
  return sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } }).options
}

function authOf(auth_method: string, key: { readonly key?: string; readonly key_file?: string }) {
  return requestorAuth('shop', { auth_method, ...key, ...perms })
}

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const pkcs8 = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

function secretOf(key: string): string {
  const auth = authOf('hmac', { key })
  if (auth.method !== 'hmac') throw new Error(auth.method)
  return auth.key.export().toString('hex')
}

const Keys = suite('settings: keys of requestors and of results (spec/session-server#6.4, #13.3)')
Keys.after(() => rmSync(folder, { recursive: true }))

Keys('auth_method is one of three', () => {
  for (const method of ['none', 'rsa', '', 'Token'])
    refused(
      () => authOf(method, { key: 'k' }),
      `requestors.shop.auth_method: expected token, hmac or publickey, got ${JSON.stringify(method)}`,
    )
})

Keys('a token that a header cannot hold is refused, and not quoted', () => {
  for (const token of ['two\nlines', ' space', 'space ', 'a\u20ac', 'a\u0000', '\ufeffk'])
    refused(
      () => authOf('token', { key: token }),
      'requestors.shop.key: expected a token of one line that a header can hold, got another text',
    )
})

Keys('a key is in the settings or in a file, not in both, and not empty', () => {
  const path = join(folder, 'token')
  writeFileSync(path, 'secret token\n')
  assert.equal(authOf('token', { key: 'k' }), { method: 'token', token: 'k' })
  assert.equal(authOf('token', { key_file: path }), { method: 'token', token: 'secret token' })
  for (const method of ['token', 'hmac', 'publickey']) {
    refused(
      () => authOf(method, { key: 'k', key_file: path }),
      'requestors.shop.key: expected either requestors.shop.key or requestors.shop.key_file, got both',
    )
    refused(() => authOf(method, {}), 'requestors.shop.key: expected the key of the requestor, got none')
    refused(() => authOf(method, { key_file: join(folder, 'none') }), /expected an existing file/)
    refused(() => authOf(method, { key_file: folder }), /expected an existing file/)
  }
  writeFileSync(path, '\n')
  refused(() => authOf('token', { key_file: path }), /got an empty file$/)
})

Keys('an hmac secret is Base64: either alphabet, with or without padding and line breaks', () => {
  const hex = 'fbef7eff00112233'
  for (const text of ['++9+/wARIjM=', '++9+/wARIjM', '--9-_wARIjM=', '--9-_wARIjM', '++9+\n/wARIjM=\r\n'])
    assert.is(secretOf(text), hex, text)
  for (const text of ['not Base64!', 'a', '====', 'ab=cd'])
    refused(
      () => authOf('hmac', { key: text }),
      'requestors.shop.key: expected a secret in Base64, got something else',
    )
})

Keys('a public key is RSA in PEM, a key or a certificate; a private key is refused', () => {
  const file = join(folder, 'key.pem')
  writeFileSync(file, spki(rsa.publicKey))
  for (const key of [{ key: spki(rsa.publicKey) }, { key_file: file }]) {
    const auth = authOf('publickey', key)
    assert.ok(auth.method === 'publickey' && auth.key.equals(rsa.publicKey))
  }
  const certified = authOf('publickey', { key_file: 'test/vectors/keys/requestor-rs256.certificate.pem' })
  const itsKey = createPublicKey(readFileSync('test/vectors/keys/requestor-rs256.public.pem'))
  assert.ok(certified.method === 'publickey' && certified.key.equals(itsKey))
  refused(
    () => authOf('publickey', { key_file: 'test/vectors/tls/cert.pem' }),
    'requestors.shop.key_file test/vectors/tls/cert.pem: expected an RSA key, got ec',
  )
  const other = 'requestors.shop.key: expected an RSA public key or certificate in PEM, got something else'
  for (const key of ['c2VjcmV0', pkcs8(rsa.privateKey), spki(rsa.publicKey).slice(0, 60)])
    refused(() => authOf('publickey', { key }), other)
  refused(
    () => authOf('publickey', { key: spki(ed25519.publicKey) }),
    'requestors.shop.key: expected an RSA key, got ed25519',
  )
  refused(
    () => authOf('publickey', { key: spki(short.publicKey) }),
    'requestors.shop.key: expected an RSA key of at least 2048 bits, got 1024',
  )
})

Keys('two requestors cannot have the same token; the message does not quote it', () => {
  const auth = { method: 'token', token: 'secret' } as const
  refused(
    () =>
      refuseSharedTokens([
        { name: 'a', auth },
        { name: 'b', auth },
      ]),
    'requestors.b: expected a token of its own, got that of a',
  )
})

Keys('results are signed with an RSA key, PKCS#1 or PKCS#8, in the settings or in a file', () => {
  const pkcs1 = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const file = join(folder, 'jwt.pem')
  writeFileSync(file, pkcs1)
  for (const given of [{ jwt_privkey: pkcs8(rsa.privateKey) }, { jwt_privkey_file: file }]) {
    const signer = resultSignerOf(options(given))
    assert.is(signer?.issuer, 'svcserver')
    assert.ok(signer?.privateKey.equals(rsa.privateKey))
    assert.is(signer?.publicKeyPem, spki(rsa.publicKey))
  }
  assert.is(resultSignerOf(options({ jwt_issuer: 'x' })), null)
  assert.is(resultSignerOf(options({ jwt_issuer: 'x', jwt_privkey: pkcs1 }))?.issuer, 'x')
})

Keys('a key that cannot sign results is refused and not quoted', () => {
  const path = join(folder, 'jwt.pem')
  refused(() => resultSignerOf(options({ jwt_privkey: 'x', jwt_privkey_file: path })), /got both$/)
  for (const key of ['secret', spki(rsa.publicKey)])
    refused(
      () => resultSignerOf(options({ jwt_privkey: key })),
      'jwt_privkey: expected an unencrypted RSA private key in PEM, got something else',
    )
  refused(
    () => resultSignerOf(options({ jwt_privkey: pkcs8(ed25519.privateKey) })),
    'jwt_privkey: expected an RSA key, got ed25519',
  )
  refused(
    () => resultSignerOf(options({ jwt_privkey: pkcs8(short.privateKey) })),
    /at least 2048 bits, got 1024$/,
  )
})

Keys('with signed_requests_only no requestor has a token', () => {
  const given = { no_auth: false, signed_requests_only: true, max_request_age: 60 }
  const shop = { auth_method: 'hmac', key: 'c2VjcmV0' }
  const token = { auth_method: 'token', key: 'k' }
  refused(
    () => toServerSettings(options({ ...given, requestors: { shop, other: token } }), '192.0.2.1'),
    'requestors.other.auth_method: expected hmac or publickey, because of "signed_requests_only", got token',
  )
  const told = toServerSettings(options({ ...given, requestors: { shop } }), '192.0.2.1')
  assert.is(told.signedRequestsOnly, true)
  assert.is(told.maxRequestAgeSec, 60)
})
Keys.run()
