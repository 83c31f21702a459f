/** Variables of an existing server, and names in any case: read as that server reads them (spec/schemes-and-cli#17.2). */
import * as assert from 'uvu/assert'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { ASKING, type Values } from './existing-options.ts'
import { refused } from './refused.ts'

type OptionSources = {
  readonly flags?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, string>>
  readonly values?: Values
  readonly name?: string
}

function resolve({ flags = {}, variables = {}, values, name = 'irmaserver.yml' }: OptionSources) {
  const file = values && { name, values }
  return sessionServer.resolve({ flags, variables, file })
}

const IRMA = { profile: 'irma' }
const SAID = { profile: 'irma', jwt_issuer: 'mine' }
const PORT = { IRMASERVER_PORT: '9000' }

const DOOR = { '@Context': 'x', Disclose: [[['a.b.c.d']]], AugmentReturnURL: true, other: 1 }
const DOOR_HERE = { '@context': 'x', disclose: [[['a.b.c.d']]], augmentReturnUrl: true, other: 1 }
const NO_PERMS = { disclose_perms: [], sign_perms: [], issue_perms: [], revoke_perms: [], host_perms: [] }

const Variables = suite('settings: variables of an existing server')

const READ_WHERE: Readonly<Record<string, OptionSources>> = {
  'its settings file is read': { values: {} },
  'the profile is chosen by a flag': { flags: IRMA },
  'the profile is chosen by a variable': { variables: { SVCSERVER_PROFILE: 'irma' } },
  'the profile is chosen in a file of this server': { values: IRMA, name: 'svcserver.yml' },
}

for (const [where, given] of Object.entries(READ_WHERE))
  Variables(`are read if ${where}, with one line and the defaults of that server`, () => {
    const variables = { ...given.variables, ...PORT, IRMASERVER_NO_AUTH: 'false', IRMASERVER_URL: '' }
    const { options, warnings } = resolve({ ...given, variables })
    assert.equal([options.port, options.no_auth, options.jwt_issuer], [9000, false, 'irmaserver'])
    assert.is(options.profile, 'irma')
    assert.equal(
      warnings.filter(line => line.includes('variables of irmaserver are read: ')),
      ['variables of irmaserver are read: IRMASERVER_PORT, IRMASERVER_NO_AUTH'],
    )
  })

Variables('if none is set, the profile alone changes no default', () => {
  const { options, warnings } = resolve({ flags: IRMA })
  assert.equal([options.jwt_issuer, warnings], ['svcserver', []])
})

Variables('are not read in another profile, and cannot choose the profile themselves', () => {
  for (const given of [{ flags: { profile: 'svc' } }, { variables: { SVCSERVER_PROFILE: 'svc' } }, {}]) {
    const { options, warnings } = resolve({ ...given, variables: { ...given.variables, ...PORT } })
    assert.is(options.port, 8088)
    assert.match(warnings.join(), 'IRMASERVER_PORT: not read')
  }
  const chooser = resolve({ variables: { IRMASERVER_PROFILE: 'irma', ...PORT } })
  assert.is(chooser.options.port, 8088)
  const other = resolve({ values: SAID, variables: { IRMASERVER_PROFILE: 'svc' } })
  assert.is(other.options.profile, 'irma')
  assert.match(other.warnings.join(), 'IRMASERVER_PROFILE: ignored')
  const unsaid = resolve({ values: {}, variables: { IRMASERVER_PROFILE: 'svc' } })
  assert.is(unsaid.options.profile, 'irma')
})

Variables('have precedence over the file, and variables of this server over them', () => {
  const over = resolve({ values: { ...SAID, port: 7000, listen_addr: '127.0.0.1' }, variables: PORT })
  assert.equal([over.options.port, over.options.listen_addr], [9000, '127.0.0.1'])
  const own = resolve({ values: SAID, variables: { ...PORT, SVCSERVER_PORT: '9001' } })
  assert.is(own.options.port, 9001)
  assert.equal(own.warnings, [
    'variable IRMASERVER_PORT: not read, because SVCSERVER_PORT says another value',
  ])
  const same = resolve({ values: SAID, variables: { ...PORT, SVCSERVER_PORT: '9000' } })
  assert.equal(
    [same.options.port, same.warnings],
    [9000, ['variables of irmaserver are read: IRMASERVER_PORT']],
  )
  assert.is(resolve({ values: SAID, variables: PORT, flags: { port: '9002' } }).options.port, 9002)
})

Variables('keep the case of requestors in JSON; an error has the name of the variable', () => {
  const requestors = { MyShop: { auth_method: 'token', key: 'k' } }
  const { options } = resolve({
    values: SAID,
    variables: { IRMASERVER_REQUESTORS: JSON.stringify(requestors) },
  })
  assert.equal(Object.keys(options.requestors), ['MyShop'])
  refused(
    () => resolve({ values: SAID, variables: { IRMASERVER_PORT: 'x' } }),
    'variable IRMASERVER_PORT: expected an integer from 1 to 65535, got "x"',
  )
})

Variables('may have members in any case in JSON, as the file may', () => {
  const { options } = resolve({
    values: SAID,
    variables: {
      IRMASERVER_REQUESTORS: JSON.stringify({ MyShop: { Auth_Method: 'token', KEY: 'k' } }),
      IRMASERVER_STATIC_SESSIONS: JSON.stringify({
        door: { CallbackURL: 'https://a.example', Request: DOOR },
      }),
    },
  })
  assert.equal(options.requestors.MyShop, { ...NO_PERMS, auth_method: 'token', key: 'k' })
  assert.equal(options.static_sessions.door, { callbackUrl: 'https://a.example', request: DOOR_HERE })
})

Variables('with a duplicate member in JSON are refused, also beside a member in another case', () => {
  const twice = '{"shop":{"Auth_Method":"token","key":"k","key":"l"}}'
  assert.throws(
    () => resolve({ values: SAID, variables: { IRMASERVER_REQUESTORS: twice } }),
    /IRMASERVER_REQUESTORS: .*"key" for the second time/,
  )
})

Variables('that name the settings file stop the start, which would otherwise ignore that file', () => {
  assert.throws(
    () => resolve({ flags: IRMA, variables: { IRMASERVER_CONFIG: '/etc/irmaserver.yml' } }),
    /^variable IRMASERVER_CONFIG: not read; name the file with --config$/,
  )
})

Variables('are ignored or refused like the same option in a file; unknown ones are ignored', () => {
  const service = { IRMASERVER_SERVICE_HOST: '10.0.0.1' }
  const { warnings } = resolve({ values: SAID, variables: { IRMASERVER_SSE: 'true', ...service } })
  assert.equal([...warnings].sort(), [
    'variable IRMASERVER_SERVICE_HOST: ignored, because irmaserver has no such setting',
    'variable IRMASERVER_SSE: ignored, because event streams are always on',
    'variables of irmaserver are read: IRMASERVER_SSE',
  ])
  assert.throws(
    () => resolve({ values: SAID, variables: { IRMASERVER_DISABLE_TLS: 'true' } }),
    /^variable IRMASERVER_DISABLE_TLS: not supported here except false; delete it/,
  )
})

Variables('of the keyshare server begin with KEYSHARESERVER_', () => {
  const variables = { KEYSHARESERVER_JWT_PIN_EXPIRY: '600', IRMASERVER_PORT: '1' }
  const { options, warnings } = keyshareServer.resolve({ flags: IRMA, variables, file: undefined })
  assert.equal([options.jwt_pin_expiry, options.port], [600, 8080])
  assert.equal(warnings, ['variables of keyshareserver are read: KEYSHARESERVER_JWT_PIN_EXPIRY'])
})

const SHOP = { auth_method: 'token', key: 'k' }

const Names = suite('settings: names in any case in the file of an existing server')

Names('the members of a static session may have any case, in an extended request or a bare one', () => {
  const { options } = resolve({
    values: { ...SAID, static_sessions: { door: { request: DOOR }, gate: DOOR } },
  })
  assert.equal(options.static_sessions, { door: { request: DOOR_HERE }, gate: DOOR_HERE })
})

Names('languages of mails may have any case in the file of a keyshare server', () => {
  const { options } = keyshareServer.resolve({
    flags: {},
    variables: {},
    file: { name: 'keyshareserver.yml', values: { registration_email_subjects: { EN: 'Hello' } } },
  })
  assert.equal(options.registration_email_subjects, { en: 'Hello' })
})

Names('options and members may have any case; one line names them', () => {
  const { options, warnings } = resolve({
    values: {
      ...SAID,
      Port: 9000,
      NO_AUTH: false,
      requestors: { shop: { Auth_Method: 'token', KEY: 'k', Disclose_Perms: ['svc-demo.*'] } },
      static_sessions: { door: { callbackurl: ASKING.callbackUrl, request: ASKING.request } },
      Revocation_Settings: { 'svc-demo.fast.badge': { Tolerance: 60 } },
      sdjwtvc: { Issuer_Certificates_Dir: 'certs', issuer_private_keys_dir: 'keys' },
    },
  })
  assert.equal([options.port, options.no_auth], [9000, false])
  assert.equal(options.requestors.shop?.disclose_perms, ['svc-demo.*'])
  assert.equal(Object.keys(options.static_sessions), ['door'])
  assert.is(options.revocation_settings['svc-demo.fast.badge']?.tolerance, 60)
  assert.equal(options.sdjwtvc, { issuer_certificates_dir: 'certs', issuer_private_keys_dir: 'keys' })
  assert.equal(warnings, [
    'irmaserver.yml: names are read without regard to letter case, as in the existing server: Port, NO_AUTH, Revocation_Settings, Auth_Method, KEY, Disclose_Perms, callbackurl, Tolerance, Issuer_Certificates_Dir',
  ])
})

Names('two names that differ in case alone stop the start', () => {
  refused(
    () => resolve({ values: { ...SAID, port: 1, Port: 2 } }),
    'irmaserver.yml: expected each name once, without regard to letter case, got "port" for the second time',
  )
  refused(
    () => resolve({ values: { ...SAID, requestors: { shop: { ...SHOP, Key: 'other' } } } }),
    'shop in requestors in irmaserver.yml: expected each name once, without regard to letter case, got "key" for the second time',
  )
})

Names('in a file of another name case matters, also in the profile irma', () => {
  refused(
    () => resolve({ values: { ...SAID, Port: 1 }, name: 'settings.yml' }),
    'settings.yml: expected options by name, got "Port", which is unknown; the nearest known one is "port"',
  )
})

Names('an ignored option may have any case too, and an unknown name stops the start', () => {
  const { warnings } = resolve({ values: { ...SAID, SSE: true } })
  assert.ok(warnings.includes('sse in irmaserver.yml: ignored, because event streams are always on'))
  assert.throws(() => resolve({ values: { ...SAID, Prot: 1 } }), /got "Prot", which is unknown/)
  assert.throws(
    () => resolve({ values: JSON.parse('{"profile":"irma","__proto__":{"port":1}}') }),
    /__proto__/,
  )
})

Variables.run()
Names.run()
