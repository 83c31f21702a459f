/** `svc issuer revoke` as each kind of requestor (spec/schemes-and-cli#16.7, spec/session-server#17). @module */
import { createPublicKey, createSecretKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { signClaims } from '../../cli/request/sign.ts'
import { BADGE, credential, NOW_SEC } from '../actors/authority.ts'
import { startRevocationServer } from '../http/revocation-server.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { runSvc } from './run-svc.ts'

const SECRET = Buffer.from('a secret of shop and server, 32+').toString('base64')
const PRIVATE = join(PROJECT, 'test/vectors/keys/requestor-rs256.private.pem')
const PERMS = { disclosePerms: [], signPerms: [], issuePerms: [], revokePerms: [BADGE], hostPerms: [] }
const rsa = createPublicKey(readFileSync(PRIVATE))
const requestors = [
  { ...PERMS, name: 'tokenshop', auth: { method: 'token', token: 'the token' } },
  { ...PERMS, name: 'hmacshop', auth: { method: 'hmac', key: createSecretKey(SECRET, 'base64') } },
  { ...PERMS, name: 'rsashop', auth: { method: 'publickey', key: rsa } },
] as const
const CONTEXT = 'https://svc.example/ld/request/revocation/v1'

const Revoke = suite('svc issuer revoke')
const server = await startRevocationServer({
  options: { noAuth: false, requestors, maxRequestAgeSec: 10 ** 9 },
})
Revoke.after(async () => {
  await server.close()
})

const TOKEN = ['-a', 'token', '--key', 'the token']

Revoke('a requestor authenticates with a token, a secret or a key, as for a session request', async () => {
  const address = server.url.replace(/\/svc$/, '/')
  const ways = [
    TOKEN,
    ['-a', 'hmac', '--key', SECRET, '--name', 'hmacshop'],
    ['-a', 'rsa', '--key', PRIVATE, '--name', 'rsashop'],
  ]
  server.clock.advance(Date.now() + 3_600_000 - server.clock.now()) // the commands use the clock of this computer
  for (const way of ways) {
    const validUntilSec = Math.floor(server.clock.now() / 1_000) + 100
    await server.revocation.issue(credential('k', { validUntilSec }))
    const done = await runSvc(['issuer', 'revoke', BADGE, 'k', address, '-s', DEMO_SCHEMES, ...way])
    assert.equal(done, { code: 0, stdout: 'Revoked.\n', stderr: '' })
  }
  const again = await runSvc(['issuer', 'revoke', BADGE, 'k', address, '-s', DEMO_SCHEMES, ...TOKEN])
  assert.equal(again, {
    code: 1,
    stdout: '',
    stderr: `svc: revocation: expected a key with credentials of ${BADGE} that are not revoked yet, but the key is unknown, or all its credentials are revoked already (UNKNOWN_REVOCATION_KEY)\n`,
  })
  const wrong = ['-a', 'token', '--key', 'x']
  const other = await runSvc(['issuer', 'revoke', BADGE, 'k', address, '-s', DEMO_SCHEMES, ...wrong])
  assert.equal([other.code, other.stdout], [1, ''])
  assert.match(other.stderr, '403 UNAUTHORIZED')
})

Revoke('any other answer than OK is a failure', async () => {
  const other = createServer((_, response) => response.end('<html>welcome</html>'))
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo // the server listens on a port
  const address = `http://127.0.0.1:${port}`
  const words = ['issuer', 'revoke', BADGE, 'k', address, '-s', DEMO_SCHEMES, '-a', 'none']
  const { code, stdout, stderr } = await runSvc(words)
  other.close()
  other.closeAllConnections()
  assert.equal([code, stdout], [1, ''])
  assert.is(stderr, 'svc: revocation: expected the answer OK, got something else\n')
})

Revoke('a signed request has the claim revrequest, with any sub', async () => {
  const signer = { method: 'hmac', key: { text: SECRET, place: '--key' }, name: 'hmacshop' } as const
  const request = { '@context': CONTEXT, type: BADGE, revocationKey: 'none' }
  const post = async (claims: Readonly<Record<string, unknown>>) => {
    const jwt = await signClaims(claims, signer, NOW_SEC)
    const { bytes } = await server.post('/revocation', jwt, { 'Content-Type': 'text/plain' })
    const { error, message } = JSON.parse(Buffer.from(bytes).toString())
    return [error, message]
  }
  for (const sub of ['', 'revocation_request', 'anything'])
    assert.equal(await post({ sub, revrequest: request }), ['UNKNOWN_REVOCATION_KEY', undefined])
  for (const revrequest of [{ request }, undefined, { ...request, '@context': 'x' }]) {
    const [error, message] = await post({ revrequest })
    assert.is(error, 'INVALID_REQUEST')
    assert.match(message, /^Invalid JWT body/)
  }
})

Revoke.run()
