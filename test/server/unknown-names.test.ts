/** spec/decisions#d29: an unknown name stops the start, in every source and at every depth. Options of other servers are ignored or refused. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify as toToml } from 'smol-toml'
import * as assert from 'uvu/assert'
import { stringify as toYaml } from 'yaml'
import { EXTENDED_MEMBERS } from '../../protocol/request.ts'
import { FlagError, SettingsError } from '../../server/settings/errors.ts'
import { FOREIGN_OPTIONS as FOREIGN } from '../../server/settings/foreign-options.ts'
import { readSettingsFile } from '../../server/settings/read-file.ts'
import { toServerSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { foreignOption } from '../../server/settings/unknown-names.ts'
import { checkStore } from '../../stores/open.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const { resolve } = sessionServer
const folder = temporaryFolder()
type Values = Readonly<Record<string, unknown>>

const FORMATS: Readonly<Record<string, (values: Values) => string>> = {
  json: values => JSON.stringify(values),
  yaml: values => toYaml(values),
  toml: values => toToml(values),
}

/** The settings in the form that a file of each format gives. */
function inEachFormat(values: Values) {
  return inFormats(values, Object.keys(FORMATS))
}

function inFormats(values: Values, endings: readonly string[]): { name: string; values: Values }[] {
  return endings.map(ending => {
    const path = join(folder, `settings.${ending}`)
    writeFileSync(path, FORMATS[ending]?.(values) ?? '')
    return { name: ending, values: readSettingsFile(path, [])?.values ?? {} }
  })
}

function messageOf(act: () => unknown, kind: new (message: string) => Error = SettingsError): string {
  try {
    act()
  } catch (error) {
    assert.instance(error, kind)
    return error instanceof Error ? error.message : ''
  }
  return 'nothing was refused'
}

const SHOP = { auth_method: 'token', key: 'secret' }
const DEMO = { callbackUrl: 'https://a.example', request: { '@context': 'x', disclos: [[['a.b.c.d']]] } }

/** Settings with one misspelt name each: its place, the name, and the right name. */
const MISSPELT: readonly (readonly [Values, where: string, name: string, nearest: string])[] = [
  [{ prot: 1 }, '', 'prot', 'port'],
  [{ Port: 1 }, '', 'Port', 'port'],
  [{ 'listen-addr': 'x' }, '', 'listen-addr', 'listen_addr'],
  [{ discloseperms: [] }, '', 'discloseperms', 'disclose_perms'],
  [
    { requestors: { shop: { ...SHOP, disclose_perm: ['a.*'] } } },
    'requestors.shop',
    'disclose_perm',
    'disclose_perms',
  ],
  [
    { requestors: { shop: { auth_metod: 'token', key: 'secret' } } },
    'requestors.shop',
    'auth_metod',
    'auth_method',
  ],
  [
    { revocation_settings: { 'a.b.c': { authrity: true } } },
    'revocation_settings.a.b.c',
    'authrity',
    'authority',
  ],
  [{ static_sessions: { x: { ...DEMO, timout: 5 } } }, 'static_sessions.x', 'timout', 'timeout'],
  [{ static_sessions: { x: { requst: DEMO.request } } }, 'static_sessions.x', 'requst', 'request'],
  [
    { static_sessions: { x: { ...DEMO, nextSession: { ulr: 'y' } } } },
    'static_sessions.x.nextSession',
    'ulr',
    'url',
  ],
]

const Unknown = suite('settings: unknown names (spec/decisions#d29)')

for (const [values, where, name, nearest] of MISSPELT) {
  const got = `got "${name}", which is unknown; the nearest known one is "${nearest}"`
  Unknown(`${where || 'an option'}: "${name}" in a file of any format is refused`, () => {
    for (const file of inEachFormat(values)) {
      const place =
        where === '' ? `${file.name}: expected options` : `${where} in ${file.name}: expected members`
      assert.is(
        messageOf(() => resolve({ flags: {}, variables: {}, file })),
        `${place} by name, ${got}`,
      )
    }
  })
  if (where !== '')
    Unknown(`${where}: "${name}" in JSON of a flag or a variable is refused`, () => {
      const [option = '', ...below] = where.split('.')
      const text = JSON.stringify(values[option])
      const inner = below.map(part => `.${part}`).join('')
      const flags = { [option]: text }
      assert.is(
        messageOf(() => resolve({ flags, variables: {}, file: undefined }), FlagError),
        `flag --${option.replace('_', '-')}${inner}: expected members by name, ${got}`,
      )
      const variable = `SVCSERVER_${option.toUpperCase()}`
      assert.is(
        messageOf(() => resolve({ flags: {}, variables: { [variable]: text }, file: undefined })),
        `variable ${variable}${inner}: expected members by name, ${got}`,
      )
    })
}

const SECRET = 's3cr3tTokenOfTheShop'
const WITHOUT_A_BLANK = [
  [`requestors: {shop: {auth_method: token, key:${SECRET}}}`, 'requestors.shop in a.yaml: expected members'],
  [`requestors: {shop: {auth_method: token, key ${SECRET}}}`, 'requestors.shop in a.yaml: expected members'],
  [`{port: 1, jwt_privkey:${SECRET}}`, 'a.yaml: expected options'],
] as const

for (const [yaml, place] of WITHOUT_A_BLANK)
  Unknown(`a name without a blank before its value is quoted without the value: ${yaml}`, () => {
    const name = /jwt_privkey/.test(yaml) ? 'jwt_privkey' : 'key'
    assert.is(
      messageOf(() => resolve({ flags: {}, variables: {}, file: yamlFile(yaml) })),
      `${place} by name, got "${name}...", which is unknown; the nearest known one is "${name}" (in YAML, a blank stands after the colon)`,
    )
  })

Unknown('the name of a requestor is quoted without a value, too', () => {
  const file = yamlFile(`requestors: {shop: {auth_method: token, key: a}, key:${SECRET}}`)
  assert.is(
    messageOf(() => resolve({ flags: {}, variables: {}, file })),
    'requestors.key... in a.yaml: expected an object, got another object',
  )
})

function yamlFile(text: string) {
  const path = join(folder, 'blank.yaml')
  writeFileSync(path, text)
  return { name: 'a.yaml', values: readSettingsFile(path, [])?.values ?? {} }
}

for (const option of ['requestors', 'revocation_settings', 'static_sessions'])
  Unknown(
    `${option}: the name "__proto__" is refused in every source, because nothing can be stored under it`,
    () => {
      const text = `{"__proto__": ${JSON.stringify(SHOP)}}`
      for (const file of inFormats({ [option]: JSON.parse(text) }, ['yaml', 'toml']))
        assert.is(
          messageOf(() => resolve({ flags: {}, variables: {}, file })),
          `${option} in ${file.name}: expected another name than "__proto__", got that`,
        )
      assert.throws(
        () => inFormats({ [option]: JSON.parse(text) }, ['json']),
        /line 1: expected another member name than __proto__/,
      )
      assert.match(
        messageOf(() => resolve({ flags: { [option]: text }, variables: {}, file: undefined }), FlagError),
        `flag --${option.replace('_', '-')}: `,
      )
    },
  )

const ADDRESSES: readonly (readonly [Values, message: string])[] = [
  [
    { store: 'mysql://svc:hunter2pw@db/x' },
    'store: expected "memory", "sqlite:FILE", "postgres://..." or "redis://...", got "mysql://...@..."',
  ],
  [
    { store: 'mysql://db/x?password=hunter2pw' },
    'store: expected "memory", "sqlite:FILE", "postgres://..." or "redis://...", got "mysql://db/x?..."',
  ],
  [{ url: 'http://u:hunter2pw@h h/' }, 'url: expected an http or https address, got "http://...@..."'],
  [{ url: 'u:hunter2pw@h' }, 'url: expected an http or https address, got "...@..."'],
  [
    { url: 'http://u:hunter2pw@h/' },
    'url: expected an address without user name and password, got "http://...@..."',
  ],
  [
    { context_base: 'http://u:hunter2pw@h/' },
    'context_base: expected no slash at the end, got "http://...@..."',
  ],
  [{ store: { a: 'hunter2pw' } }, 'store in f.json: expected text, got another object'],
  [
    { port: 'http://u:hunter2pw@h' },
    'port in f.json: expected an integer from 1 to 65535, got "http://...@..."',
  ],
]

for (const [values, message] of ADDRESSES)
  Unknown(`user name and password of an address are not quoted: ${JSON.stringify(values)}`, () => {
    const use = () => {
      const { options } = resolve({
        flags: {},
        variables: {},
        file: { name: 'f.json', values },
      })
      toServerSettings(options, '127.0.0.1')
      checkStore(options.store)
    }
    assert.is(messageOf(use, Error), message)
  })

Unknown('a variable with the prefix of the server and without the name of an option is refused', () => {
  const variables = { SVCSERVER_PROT: '1', SVCSERVER_PORT: '2' }
  assert.is(
    messageOf(() => resolve({ flags: {}, variables, file: undefined })),
    'variables: expected options by name, got "SVCSERVER_PROT", which is unknown; the nearest known one is "SVCSERVER_PORT"',
  )
})

Unknown('an empty variable counts as not set, and variables of other programs are ignored', () => {
  const variables = { SVCSERVER_PROT: '', SVC_PROT: '1', SVCKEYSHARE_PROT: '1', PATH: '/bin' }
  assert.equal(resolve({ flags: {}, variables, file: undefined }).warnings, [])
})

Unknown('every known name is accepted, and names inside of a session request are not checked', () => {
  const known = Object.fromEntries(sessionServer.names.map(name => [name, null]))
  assert.equal(resolve({ flags: {}, variables: {}, file: { name: 'f', values: known } }).warnings, [])
  const extended = { ...DEMO, validity: 1, timeout: 1, nextSession: { url: 'https://a.example' } }
  assert.equal(Object.keys(extended).sort(), [...EXTENDED_MEMBERS].sort())
  const values = { static_sessions: { x: extended, y: { '@context': 'z', disclos: [] } } }
  assert.equal(resolve({ flags: {}, variables: {}, file: { name: 'f', values } }).warnings, [])
})

Unknown.run()

const Foreign = suite('settings: options that only other servers have (spec/decisions#d29)')

Foreign('an option without effect in this server is ignored, with one line and the reason', () => {
  const values = { email: 'a@b.example', sse: false, revocation_db_type: '' }
  const variables = { SVCSERVER_NO_EMAIL: 'true', SVCSERVER_DISABLE_TLS: 'false' }
  const { warnings } = resolve({ flags: {}, variables, file: { name: 'f.yaml', values } })
  const unused = 'ignored, because irmaserver makes no use of it either'
  assert.equal(warnings, [
    `variable SVCSERVER_NO_EMAIL: ${unused}`,
    'variable SVCSERVER_DISABLE_TLS: ignored, because its value changes nothing',
    `email in f.yaml: ${unused}`,
    'sse in f.yaml: ignored, because event streams are always on',
    'revocation_db_type in f.yaml: ignored, because its value changes nothing',
  ])
})

/** Options that could change the service: for each, a value that changes it, and one that does not. */
const CHANGING: Readonly<Record<string, readonly [unknown, unknown]>> = {
  revocation_db_type: ['postgres', ''],
  revocation_db_str: ['postgres://user:word@host/db', ''],
  disable_schemes_update: ['true', '0'],
  disable_tls: ['true', false],
  redis_settings: [{ address: '/x' }, { address: '' }],
  sdjwtvc_issuer_certificates_path: ['/x', ''],
  sdjwtvc_issuer_priv_keys_path: ['/x', ''],
}

for (const [name, [changing, harmless]] of Object.entries(CHANGING))
  Foreign(`${name} stops the start if its value would change the service`, () => {
    const withValue = (value: unknown) =>
      resolve({ flags: {}, variables: {}, file: { name: 'f.yaml', values: { [name]: value } } })
    const refusal = messageOf(() => withValue(changing))
    assert.match(refusal, new RegExp(`^${name} in f\\.yaml: not supported here.*; delete it: .{20,}$`))
    assert.not.match(refusal, /word|\/x|60/)
    assert.equal(withValue(harmless).warnings, [
      `${name} in f.yaml: ignored, because its value changes nothing`,
    ])
    const variable = `SVCSERVER_${name.toUpperCase()}`
    if (typeof changing === 'string')
      assert.match(
        messageOf(() => resolve({ flags: {}, variables: { [variable]: changing }, file: undefined })),
        new RegExp(`^variable ${variable}: not supported here`),
      )
  })

Foreign(
  'the table above has exactly the refused options, and none of them is an option of this server',
  () => {
    assert.equal(Object.keys(FOREIGN.refused).sort(), Object.keys(CHANGING).sort())
    const known: readonly string[] = sessionServer.names
    assert.equal(
      [...Object.keys(FOREIGN.ignored), ...Object.keys(FOREIGN.refused)].filter(name => known.includes(name)),
      [],
    )
    assert.is(foreignOption(FOREIGN, 'constructor', 1), undefined)
    const isRefused = (value: unknown) => foreignOption(FOREIGN, 'redis_settings', value)?.isRefused
    const values = [null, {}, { address: '' }, { address: '/x' }, true]
    assert.equal(values.map(isRefused), [false, false, false, true, true])
  },
)
Foreign.run()
