/** The option `session_server`: another session server, at which the sessions of logins run. */
import { generateKeyPairSync } from 'node:crypto'
import * as assert from 'uvu/assert'
import { Refusals } from '../../../server/settings/errors.ts'
import { readRemoteServer } from '../../../server/settings/oidc/session-server.ts'
import { suite } from '../../suite.ts'
import { refused as refusedSettings } from '../refused.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const GOOD = { url: 'https://sessions.example/api/', key: 'a token' }

function read(given: unknown) {
  const refusals = new Refusals()
  const found = readRemoteServer(given, refusals)
  refusals.throwAll()
  return found
}

function refused(given: unknown, message: RegExp): void {
  refusedSettings(() => read(given), message)
}

const Server = suite('settings of sign-in: another session server')

Server('without the option, the provider uses its embedded session server', () => assert.is(read(null), null))

Server('a token is the default, and results need no signature', () => {
  assert.equal(read(GOOD), {
    url: 'https://sessions.example/api',
    auth: { method: 'token', token: 'a token' },
    publicKey: null,
    issuer: '',
  })
})

Server('requests may be signed with a shared secret or a private key, or be unsigned', () => {
  const signed = { ...GOOD, requestor: 'sign-in' }
  const hmac = read({ ...signed, auth_method: 'hmac', key: 'c2VjcmV0' })
  assert.equal(hmac?.auth, { method: 'hmac', name: 'sign-in', key: Buffer.from('secret') })
  const rsa = read({ ...signed, auth_method: 'publickey', key: privateKey })
  assert.equal(rsa?.auth, { method: 'publickey', name: 'sign-in', key: privateKey })
  assert.is(read({ url: GOOD.url, auth_method: 'none' })?.auth, null)
})

Server('public_key verifies the results, and issuer names their only issuer', () => {
  const found = read({ ...GOOD, public_key: publicKey, issuer: 'demo server' })
  assert.is(found?.publicKey, publicKey)
  assert.is(found?.issuer, 'demo server')
})

Server('every mistake names its member, and no message quotes a key', () => {
  refused([], /session_server: expected an object/)
  refused({ key: 'a' }, /session_server\.url: expected the address of a session server, got none/)
  refused({ ...GOOD, url: 'http://sessions.example' }, /session_server\.url: expected https, or http with/)
  refused(
    { ...GOOD, url: 'https://sessions.example:6000' },
    /session_server\.url: expected a port that browsers and/,
  )
  refused({ ...GOOD, url: 'https://sessions.example/?a' }, /session_server\.url: .*without "\?"/)
  refused({ ...GOOD, tokens: 'a' }, /session_server: expected members by name, got "tokens"/)
  refused({ url: GOOD.url }, /session_server\.key: expected the key of the requestor/)
  refused({ ...GOOD, key: 'two\nlines' }, /session_server\.key: expected a token of one line/)
  refused({ ...GOOD, auth_method: 'none' }, /session_server\.key: expected none, because of the method none/)
  refused({ ...GOOD, auth_method: 'hmac' }, /session_server\.requestor: expected the name of the requestor/)
  refused({ ...GOOD, requestor: 'a', auth_method: 'publickey' }, /session_server\.key: .*RSA private key/)
  refused({ ...GOOD, issuer: 'a' }, /session_server\.issuer: expected "public_key"/)
  refused({ ...GOOD, public_key: privateKey }, /session_server\.public_key: expected an RSA public key/)
})

Server.run()
