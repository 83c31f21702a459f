import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { loadSchemes } from '../../schemes/load.ts'
import { checkAgainstSchemes } from '../../server/settings/against-schemes.ts'
import { checkOptions, tlsOf } from '../../server/settings/checks.ts'
import type { OptionValues } from '../../server/settings/session-server.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { externalUrl } from '../../server/settings/url.ts'
import { suite } from '../suite.ts'
import { refused } from './refused.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-checks-'))

function options(values: Readonly<Record<string, unknown>>): OptionValues {
  return sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } }).options
}

const readTls = (name: string) => readFileSync(join('test/vectors/tls', name), 'utf8')
const shop = { auth_method: 'token', key: 'k' }

const Checks = suite('settings: what a server refuses to start with (spec/session-server#20.1)')
Checks.after(() => rmSync(folder, { recursive: true }))

Checks('a context base has no slash at its end, because every path begins with one', () => {
  refused(
    () => checkOptions(options({ context_base: 'https://a.example/' })),
    'context_base: expected no slash at the end, got "https://a.example/"',
  )
  checkOptions(options({ context_base: 'https://a.example' }))
})

Checks('the inspector listens only on a loopback address', () => {
  for (const inspect_listen_addr of ['0.0.0.0', '192.0.2.1', '::', '', 'localhost'])
    refused(
      () => checkOptions(options({ inspect_listen_addr })),
      `inspect_listen_addr: expected a loopback address (127.0.0.1 or ::1), because only this machine may watch, got "${inspect_listen_addr}"`,
    )
  for (const inspect_listen_addr of ['127.0.0.1', '127.1.2.3', '::1'])
    checkOptions(options({ inspect_listen_addr }))
})

Checks('metrics have a port of their own, never that of a public listener', () => {
  refused(
    () => checkOptions(options({ port: 9, metrics_port: 9 })),
    'metrics_port: expected another port than "port", which others reach, got 9',
  )
  refused(
    () => checkOptions(options({ port: 8, client_port: 9, metrics_port: 9 })),
    'metrics_port: expected another port than "client_port", got 9',
  )
  checkOptions(options({ port: 8, client_port: 9, metrics_port: 10 }))
  checkOptions(options({ port: 8, metrics_port: 0 }))
})

Checks('no_auth and requestors exclude each other, and one of them is needed', () => {
  refused(
    () => checkOptions(options({ no_auth: true, requestors: { shop } })),
    'no_auth: expected false, because "requestors" are given, got true, which is the default outside of "production"; write "no_auth: false"',
  )
  refused(
    () => checkOptions(options({ no_auth: false })),
    'requestors: expected at least one requestor, because "no_auth" is false, got none',
  )
  checkOptions(options({}))
  checkOptions(options({ no_auth: false, requestors: { shop } }))
})

Checks('signed_requests_only and no_auth exclude each other; a requestor has a name', () => {
  refused(
    () => checkOptions(options({ signed_requests_only: true })),
    'signed_requests_only: expected false, because "no_auth" is true, got true',
  )
  refused(
    () => checkOptions(options({ no_auth: false, requestors: { '': shop } })),
    'requestors: expected a name for each requestor, got an empty one',
  )
})

Checks('production needs an https address, or no_tls', () => {
  const production = { production: true, requestors: { shop } }
  refused(() => checkOptions(options(production)), /^url: expected the address .*, got none$/)
  refused(
    () => checkOptions(options({ ...production, url: 'http://a.example' })),
    'url: expected an https address in production, or "no_tls", got "http://a.example"',
  )
  checkOptions(options({ ...production, url: 'http://a.example', no_tls: true }))
  checkOptions(options({ ...production, url: 'https://a.example' }))
})

Checks('TLS needs both certificate and key', () => {
  refused(() => tlsOf(options({ tls_cert: 'PEM' })), /^tls_privkey: expected a private key/)
  refused(() => tlsOf(options({ tls_privkey: 'PEM' })), /^tls_cert: expected a certificate/)
  refused(
    () => tlsOf(options({ tls_privkey_file: 'test/vectors/tls/key.pem' })),
    'tls_cert: expected a certificate beside "tls_privkey_file", got none',
  )
  refused(() => tlsOf(options({ tls_cert: 'PEM', tls_cert_file: 'F' })), /got both$/)
  refused(() => tlsOf(options({ tls_cert_file: join(folder, 'none') })), /expected an existing file/)
  const [cert, key] = [readTls('cert.pem'), readTls('key.pem')]
  assert.equal(tlsOf(options({ tls_cert: cert, tls_privkey: key })), { cert, key })
  assert.is(tlsOf(options({})), undefined)
})

Checks('certificate and key must be PEM and belong together; the message names the option', () => {
  const [cert, key] = [readTls('cert.pem'), readTls('key.pem')]
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const another = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  refused(
    () => tlsOf(options({ tls_cert: 'secret', tls_privkey: key })),
    'tls_cert: expected a certificate chain in PEM, got something else',
  )
  refused(
    () => tlsOf(options({ tls_cert: cert, tls_privkey: 'secret' })),
    'tls_privkey: expected an unencrypted private key in PEM, got something else',
  )
  refused(
    () => tlsOf(options({ tls_cert: cert, tls_privkey: another })),
    'tls_privkey: expected the key of the certificate, got another',
  )
})

Checks('a separate listener for clients has its own port and its own TLS settings', () => {
  refused(
    () => checkOptions(options({ port: 9, client_port: 9 })),
    'client_port: expected another port than "port", got 9',
  )
  for (const name of ['client_listen_addr', 'client_tls_cert', 'client_tls_privkey_file'])
    refused(
      () => checkOptions(options({ [name]: 'x' })),
      `${name}: expected none, because there is no "client_port", got one`,
    )
  checkOptions(options({ client_port: 9, client_listen_addr: '127.0.0.1', client_tls_cert: 'x' }))
  const [cert, key] = [readTls('cert.pem'), readTls('key.pem')]
  const given = { client_tls_cert: cert, client_tls_privkey: key }
  assert.equal(tlsOf(options(given), 'client_'), { cert, key })
  assert.is(tlsOf(options(given)), undefined)
  refused(
    () => tlsOf(options({ client_tls_cert: cert }), 'client_'),
    'client_tls_privkey: expected a private key beside "client_tls_cert", got none',
  )
})

Checks('paths begin with a slash, and contain no character or segment with a special meaning', () => {
  for (const name of ['api_prefix', 'static_prefix']) {
    for (const path of [
      '',
      'api',
      'https://a.example',
      '//',
      '/a//b',
      '/:a',
      '/a*',
      '/{a}',
      '/a b',
      '/..',
      '/a/./b',
    ])
      refused(
        () => checkOptions(options({ [name]: path })),
        new RegExp(`^${name}: expected a path that begins`),
      )
    for (const path of ['/', '/api', '/api/', '/api/v1.0/', '/.a/~b_c-d'])
      checkOptions(options({ [name]: path }))
  }
})

Checks('the directory of static files exists', () => {
  checkOptions(options({ static_path: folder }))
  for (const path of [join(folder, 'none'), 'package.json'])
    refused(
      () => checkOptions(options({ static_path: path })),
      `static_path: expected an existing directory, got ${path}`,
    )
})
Checks.run()

const Urls = suite('settings: the address for wallet apps (spec/schemes-and-cli#16.5)')
const facts = { port: 8088, hasTls: false, prefix: '/svc', localAddress: '192.0.2.1', path: '/' }

Urls('the default is the address of this machine; ":port" in a URL is replaced by the port', () => {
  assert.is(externalUrl({ ...facts, url: '' }), 'http://192.0.2.1:8088/')
  assert.is(externalUrl({ ...facts, url: 'https://a.example:port/x' }), 'https://a.example:8088/x/')
  assert.is(externalUrl({ ...facts, url: 'https://a.example/:port' }), 'https://a.example/:port/')
})

Urls('an IPv6 address is in brackets', () => {
  assert.is(externalUrl({ ...facts, url: '', localAddress: '::1' }), 'http://[::1]:8088/')
})

Urls('the default has the path of api_prefix, even if it equals the prefix of the profile', () => {
  assert.is(externalUrl({ ...facts, path: '/api/', url: '' }), 'http://192.0.2.1:8088/api/')
  assert.is(externalUrl({ ...facts, path: '/svc/', url: '' }), 'http://192.0.2.1:8088/svc/')
  assert.is(
    externalUrl({ ...facts, path: '/api/', url: 'https://a.example:port' }),
    'https://a.example:8088/',
  )
})

Urls("the profile's prefix may be given or left out", () => {
  for (const url of [
    'https://a.example',
    'https://a.example/',
    'https://a.example/svc',
    'https://a.example/svc/',
  ])
    assert.is(externalUrl({ ...facts, url }), 'https://a.example/')
})

Urls('with TLS http becomes https', () => {
  assert.is(externalUrl({ ...facts, hasTls: true, url: 'http://a.example:port' }), 'https://a.example:8088/')
})

Urls('a text that is no http or https address is refused', () => {
  refused(
    () => externalUrl({ ...facts, url: 'a.example' }),
    'url: expected an http or https address, got "a.example"',
  )
  refused(() => externalUrl({ ...facts, url: 'http://a b' }), /^url: expected/)
})
Urls.run()

const Patterns = suite('settings: permission patterns (spec/schemes-and-cli#16.5)')
const schemes = await loadSchemes('demo/schemes')
const check = (given: Readonly<Record<string, unknown>>) => () => checkAgainstSchemes(options(given), schemes)

Patterns('a pattern is an existing identifier, or its first parts followed by ".*"', () => {
  check({
    disclose_perms: [
      '*',
      'svc-demo.*',
      'svc-demo.gov.*',
      'svc-demo.gov.idcard.*',
      'svc-demo.gov.idcard.over18',
    ],
    issue_perms: ['svc-demo.gov.*', 'svc-demo.gov.idcard'],
  })()
})

Patterns('patterns of another form are refused', () => {
  for (const pattern of [
    'svc-demo.*.idcard.over18',
    'svc-demo.gov',
    'svc-demo.g*',
    'svc-demo.gov.idcard.over18.*',
  ])
    refused(check({ disclose_perms: [pattern] }), /^disclose_perms: expected "\*", 4 dotted parts, or fewer/)
  refused(
    check({ issue_perms: ['svc-demo.gov.idcard.over18'] }),
    /^issue_perms: expected "\*", 3 dotted parts/,
  )
})

Patterns('an identifier that no scheme has is refused, also among the permissions of a requestor', () => {
  refused(
    check({ disclose_perms: ['svc-demo.gov.idcard.nope'] }),
    'disclose_perms: expected a name that the schemes define, got "svc-demo.gov.idcard.nope"; the nearest is "svc-demo.gov.idcard.over18"',
  )
  refused(
    check({ requestors: { shop: { ...shop, issue_perms: ['nope.*'] } } }),
    'requestors.shop.issue_perms: expected a name that the schemes define, got "nope.*"; the nearest is "svc-demo.*"',
  )
})

Patterns(
  'a pattern of one credential type needs the private key of its issuer, or skip_private_keys_check',
  () => {
    const without = { ...schemes, latestPrivateKey: () => undefined }
    const named = { requestors: { shop: { ...shop, issue_perms: ['svc-demo.fast.note'] } } }
    refused(
      () => checkAgainstSchemes(options(named), without),
      'requestors.shop.issue_perms: expected a private key of svc-demo.fast for "svc-demo.fast.note", or "skip_private_keys_check", got none',
    )
    check(named)()
    checkAgainstSchemes(options({ ...named, skip_private_keys_check: true }), without)
    checkAgainstSchemes(options({ issue_perms: ['*', 'svc-demo.*', 'svc-demo.fast.*'] }), without)
  },
)

Patterns('in production, no_auth with the keys of a real issuer is refused if requestors may issue', () => {
  const asReal = [...schemes.schemes].map(([id, scheme]) => [id, { ...scheme, isDemo: false }] as const)
  const real = { ...schemes, schemes: new Map(asReal) }
  const unsafe = { production: true, no_auth: true, issue_perms: ['*'] }
  refused(
    () => checkAgainstSchemes(options(unsafe), real),
    /^issue_perms: expected none in production with "no_auth", because \S+ of scheme \S+ has a private key, got some$/,
  )
  checkAgainstSchemes(options(unsafe), schemes)
  for (const safe of [{ production: false }, { no_auth: false }, { issue_perms: [] }, { client_port: 9 }])
    checkAgainstSchemes(options({ ...unsafe, ...safe }), real)
})
Patterns.run()
