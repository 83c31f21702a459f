import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { shortLifetime } from '../../server/settings/warnings.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

function settings(values: Readonly<Record<string, unknown>>) {
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } })
  return toServerSettings(options, '192.0.2.1')
}

const Settings = suite('settings of a session server, made from its options')

Settings('without any option: development, no authentication, the address of this machine', () => {
  const told = settings({})
  assert.is(told.production, false)
  assert.is(told.noAuth, true)
  assert.is(told.url, 'http://192.0.2.1:8088/')
  assert.is(told.profile.name, 'svc')
  assert.is(told.maxSessionLifetimeMs, 300_000)
  assert.is(told.resultLifetimeMs, 300_000)
  assert.is(told.tls, null)
})

Settings('the default address has listen_addr as its host, unless that means all addresses', () => {
  assert.is(settings({ listen_addr: '127.0.0.1', port: 9 }).url, 'http://127.0.0.1:9/')
  assert.is(settings({ listen_addr: '0.0.0.0', port: 9 }).url, 'http://192.0.2.1:9/')
})

Settings('a slash at the end of api_prefix is dropped; the default address ends with api_prefix', () => {
  for (const api_prefix of ['/api', '/api/']) {
    assert.is(settings({ api_prefix }).apiPrefix, '/api')
    assert.is(settings({ api_prefix }).url, 'http://192.0.2.1:8088/api/')
  }
  assert.is(settings({}).apiPrefix, '')
  assert.is(settings({ api_prefix: '/api', url: 'https://a.example/b' }).url, 'https://a.example/b/')
})

Settings('with client_port, the address for wallet apps has the port and TLS of that listener', () => {
  const given = { port: 1, client_port: 2, url: 'http://a.example:port/' }
  assert.is(settings(given).url, 'http://a.example:2/')
  assert.is(settings({ ...given, url: '', client_listen_addr: '127.0.0.1' }).url, 'http://127.0.0.1:2/')
  assert.is(settings({ ...given, url: '', listen_addr: '127.0.0.1' }).url, 'http://192.0.2.1:2/')
  const [cert, key] = ['cert.pem', 'key.pem'].map(name => join(PROJECT, 'test/vectors/tls', name))
  const own = settings({ ...given, tls_cert_file: cert, tls_privkey_file: key })
  assert.equal([own.url, own.clientTls], ['http://a.example:2/', null])
  const clients = settings({ ...given, client_tls_cert_file: cert, client_tls_privkey_file: key })
  assert.equal([clients.url, clients.tls], ['https://a.example:2/', null])
  assert.match(clients.clientTls?.key ?? '', 'PRIVATE KEY')
})

Settings('the path of static files is below api_prefix', () => {
  const folder = temporaryFolder()
  const given = { static_path: folder, api_prefix: '/api/' }
  assert.equal(settings(given).staticFolder, { folder, prefix: '/api/' })
  assert.equal(settings({ ...given, static_prefix: '/pages' }).staticFolder, {
    folder,
    prefix: '/api/pages/',
  })
  assert.equal(settings({ static_path: folder }).staticFolder, { folder, prefix: '/' })
  assert.is(settings({}).staticFolder, null)
})

Settings("lifetimes are minutes; 0 means the profile's", () => {
  assert.is(settings({ max_session_lifetime: 2 }).maxSessionLifetimeMs, 120_000)
  assert.is(settings({ max_session_lifetime: 0, profile: 'irma' }).maxSessionLifetimeMs, 900_000)
  assert.is(settings({ session_result_lifetime: 1 }).resultLifetimeMs, 60_000)
  assert.is(settings({ session_result_lifetime: 0 }).resultLifetimeMs, 300_000)
})

Settings('the default maximum of a return URL is 2,000 characters', () => {
  assert.is(settings({}).maxClientReturnUrl, 2_000)
  assert.is(settings({ max_client_return_url: 100 }).maxClientReturnUrl, 100)
})

Settings('the default of outgoing_hosts is "public" in production, and every host otherwise', () => {
  assert.equal(settings({}).outgoingHosts, ['*'])
  const requestors = { shop: { auth_method: 'token', key: 'k' } }
  const production = { production: true, url: 'https://x.example', requestors }
  assert.equal(settings(production).outgoingHosts, ['public'])
  assert.equal(settings({ ...production, outgoing_hosts: ['10.0.0.0/8'] }).outgoingHosts, ['10.0.0.0/8'])
  assert.throws(
    () => settings({ outgoing_hosts: ['a/b'] }),
    /^outgoing_hosts: expected \*, public, .* got "a\/b"/,
  )
})

Settings('a session_result_lifetime that is shorter than stored answers are replayed has a warning', () => {
  const warned = (minutes: number) => shortLifetime(settings({ session_result_lifetime: minutes }))
  assert.match(warned(1)[0] ?? '', /^session_result_lifetime: expected at least 2 minutes, .* got 1/)
  assert.equal([warned(2), warned(0)], [[], []])
})

Settings("context_base and min_protocol_version replace the profile's", () => {
  const told = settings({ profile: 'irma', context_base: 'https://a.example', min_protocol_version: '2.5' })
  assert.is(told.profile.contextBase, 'https://a.example')
  assert.is(told.profile.prefix, '/irma')
  assert.is(told.minProtocolVersion, '2.5')
})

Settings('requestors keep the case of their name, with token and permissions', () => {
  const told = settings({
    no_auth: false,
    host_perms: ['*.example'],
    requestors: { MyApp: { auth_method: 'token', key: 'k', disclose_perms: ['a.*'] } },
  })
  const perms = { disclosePerms: ['a.*'], signPerms: [], issuePerms: [], revokePerms: [], hostPerms: [] }
  assert.equal(told.requestors, [{ name: 'MyApp', auth: { method: 'token', token: 'k' }, ...perms }])
  assert.equal(told.permissions.hostPerms, ['*.example'])
  assert.equal(told.permissions.disclosePerms, ['*'])
})

Settings('in production, the default allows no requestor to issue', () => {
  const requestors = { shop: { auth_method: 'token', key: 'k' } }
  const told = settings({ production: true, url: 'https://a.example/svc/', requestors })
  assert.equal(told.permissions.issuePerms, [])
  assert.is(told.noAuth, false)
  assert.is(told.url, 'https://a.example/')
})
Settings.run()
