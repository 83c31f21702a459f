/** The warnings of a server at its start (spec/session-server#6.6, #20.1). @module */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseIssuerId } from '../../protocol/ids.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { ownKeysThatExpire, warningsAbout } from '../../server/settings/warnings.ts'
import { disclosure } from '../http/harness.ts'
import { DEMO_SCHEMES, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)

function warnings(values: Readonly<Record<string, unknown>>): readonly string[] {
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } })
  return warningsAbout(toServerSettings(options, '127.0.0.1'))
}

const SAFE = { url: 'https://id.example/', no_auth: false }
const shop = { auth_method: 'token', key: 'k', disclose_perms: ['svc-demo.gov.*'], issue_perms: ['*'] }

const Warnings = suite('the warnings of a server')

Warnings('no_auth and plain HTTP', () => {
  assert.equal(warnings({}), [
    'no_auth: any caller may start sessions',
    'url: wallet apps refuse plain HTTP outside of their developer mode',
  ])
})

Warnings('a port that browsers block', () => {
  const given = { ...SAFE, requestors: { shop: { ...shop, disclose_perms: ['*'] } } }
  assert.equal(warnings({ ...given, url: 'https://id.example:10080/' }), [
    'url: browsers and other HTTP clients block port 10080; use another port',
  ])
  assert.equal(warnings({ ...given, url: 'https://id.example:10081/' }), [])
})

Warnings('an address that does not end with api_prefix', () => {
  const given = { ...SAFE, requestors: { shop: { ...shop, disclose_perms: ['*'] } }, api_prefix: '/api' }
  assert.equal(warnings(given), [
    'url: expected a path that ends with "api_prefix", /api, unless a proxy adds that',
  ])
  for (const url of ['https://id.example/api', 'https://id.example/a/api/svc/'])
    assert.equal(warnings({ ...given, url }), [])
})

Warnings('an address that ends as in the other profile', () => {
  const given = { ...SAFE, requestors: { shop: { ...shop, disclose_perms: ['*'] } } }
  const url = 'https://id.example/irma'
  assert.equal(warnings({ ...given, url }), [
    'url: ends in "/irma/", as in the profile irma, but "profile" is svc',
  ])
  assert.equal(warnings({ ...given, url, profile: 'irma' }), [])
  assert.equal(warnings({ ...given, url, api_prefix: '/irma' }), [])
  assert.equal(warnings({ ...given, url: 'https://id.example/confirma/' }), [])
})

Warnings('static sessions whose results are not signed', () => {
  const over18 = { callbackUrl: 'https://a.example', request: disclosure() }
  const given = {
    ...SAFE,
    requestors: { shop: { ...shop, disclose_perms: ['*'] } },
    static_sessions: { over18 },
  }
  assert.equal(warnings(given), [
    'static_sessions: results are posted unsigned, because there is no "jwt_privkey"',
  ])
  const jwt_privkey_file = join(PROJECT, 'test/vectors/keys/session-jwt.private.pem')
  assert.equal(warnings({ ...given, jwt_privkey_file }), [])
})

Warnings('options of the inspector and of the metrics without their listener', async () => {
  const warningsOf = async (values: Readonly<Record<string, unknown>>) => {
    const file = { name: 'f', values: { ...values, schemes_path: DEMO_SCHEMES } }
    const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
    const { warnings } = await readNodeSettings({ options }, () => {})
    return warnings.filter(line => line.includes('inspect') || line.includes('metrics'))
  }
  const listeners = { inspect_port: 9000, inspect_listen_addr: '::1', metrics_listen_addr: '::1' }
  assert.equal(await warningsOf(listeners), [
    'inspect_port: without effect, because "inspect" is not given',
    'inspect_listen_addr: without effect, because "inspect" is not given',
    'metrics_listen_addr: without effect, because "metrics_port" is not given',
  ])
  assert.equal(await warningsOf({ ...listeners, inspect: true, metrics_port: 9001 }), [])
  assert.equal(await warningsOf({ inspect_listen_addr: '127.0.0.1', metrics_listen_addr: '127.0.0.1' }), [])
})

Warnings('static_prefix without static_path', async () => {
  const warningsOf = async (values: Readonly<Record<string, unknown>>) => {
    const file = { name: 'f', values: { ...values, schemes_path: DEMO_SCHEMES } }
    const { options } = sessionServer.resolve({ flags: {}, variables: {}, file })
    const { warnings } = await readNodeSettings({ options }, () => {})
    return warnings.filter(line => line.includes('static'))
  }
  const withoutEffect = ['static_prefix: without effect, because "static_path" is not given']
  assert.equal(await warningsOf({ static_prefix: '/site/' }), withoutEffect)
  assert.equal(await warningsOf({ static_prefix: '/' }), [])
  assert.equal(await warningsOf({ static_prefix: '/site/', static_path: temporaryFolder() }), [])
})

Warnings('the latest key of an issuer with a private key expires within 31 days, or has expired', () => {
  const issuer = schemes.issuer(parseIssuerId('svc-demo.gov'))
  const endSec = [...(issuer?.publicKeys.values() ?? [])].at(-1)?.expiresAtSec ?? 0
  const DAY_SEC = 86_400
  const at = (sec: number, given: Schemes = schemes): readonly string[] =>
    ownKeysThatExpire(given, { wallNow: () => sec * 1_000 }).filter(line => line.includes('svc-demo.gov '))
  const next = '; make the next key with svc issuer keygen, and sign the scheme again'
  const end = new Date(endSec * 1_000).toISOString()
  assert.equal(at(endSec - 31 * DAY_SEC), [])
  assert.equal(at(endSec - 31 * DAY_SEC + 1), [
    `schemes: Latest public key of issuer svc-demo.gov expires soon (at ${end})${next}`,
  ])
  assert.equal(at(endSec + 1), [`schemes: Issuer svc-demo.gov has no nonexpired public keys${next}`])
  assert.equal(at(endSec + 1, { ...schemes, latestPrivateKey: () => undefined }), [])
})

Warnings('no_auth with revoke_perms: every caller may revoke', () => {
  assert.equal(warnings({ url: 'https://id.example/', revoke_perms: ['*'] }), [
    'no_auth: any caller may start sessions',
    'revoke_perms: any caller may revoke, because of "no_auth"',
  ])
})

Warnings('permissions of a requestor without effect, because the server allows everything to all', () => {
  assert.equal(warnings({ ...SAFE, requestors: { shop } }), [
    'requestors.shop.disclose_perms: without effect, because "disclose_perms" of the server allows everything to everybody',
  ])
  assert.equal(warnings({ ...SAFE, requestors: { shop }, disclose_perms: [] }), [])
})

Warnings('a shared secret that is shorter than HS256 asks for', () => {
  const hospital = { auth_method: 'hmac', key: Buffer.alloc(31, 7).toString('base64') }
  assert.equal(warnings({ ...SAFE, requestors: { hospital } }), [
    'requestors.hospital: expected a secret of at least 32 bytes for HS256, got 31',
  ])
  const key = Buffer.alloc(32, 7).toString('base64')
  assert.equal(warnings({ ...SAFE, requestors: { hospital: { ...hospital, key } } }), [])
})

Warnings.run()
