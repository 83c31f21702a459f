/** The settings file of an existing server can be read unchanged. Each option is accepted, ignored with a log line, or refused with a remedy. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify as toToml } from 'smol-toml'
import * as assert from 'uvu/assert'
import { stringify as toYaml } from 'yaml'
import { defaultStorePath } from '../../server/files/directories.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { readSettingsFile } from '../../server/settings/read-file.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ASKING, IGNORED, REFUSED, TAKEN, TAKEN_ALONE, type Values } from './existing-options.ts'
import { refused } from './refused.ts'

const FORMATS: Readonly<Record<string, (values: Values) => string>> = {
  json: values => JSON.stringify(values),
  yaml: values => toYaml(values),
  yml: values => toYaml(values),
  toml: values => toToml(values),
}

const folder = temporaryFolder()

function fileOf(values: Values, name = 'irmaserver', ending = 'yml') {
  const path = join(folder, `${name}.${ending}`)
  writeFileSync(path, FORMATS[ending]?.(values) ?? '')
  return readSettingsFile(path, [])
}

function resolve(values: Values, variables: Readonly<Record<string, string>> = {}, name?: string) {
  return sessionServer.resolve({ flags: {}, variables, file: fileOf(values, name) })
}

const ignored = Object.fromEntries(Object.entries(IGNORED).map(([name, [value]]) => [name, value]))
const inFolder = (line: string) => line.replaceAll(`${folder}/`, '')

const Existing = suite('settings: the file of an existing server (spec/session-server#19, #20)')

for (const ending of Object.keys(FORMATS))
  Existing(
    `irmaserver.${ending}: each option is accepted with its value, or ignored with a log line`,
    async () => {
      const file = fileOf({ ...TAKEN, ...ignored }, 'irmaserver', ending)
      const { options, warnings } = sessionServer.resolve({ flags: {}, variables: {}, file })
      for (const [name, value] of Object.entries(TAKEN)) {
        const got: unknown = Reflect.get(options, name)
        if (typeof value !== 'object' || Array.isArray(value)) assert.equal(got, value, name)
        else assert.equal(Object.keys(Object(got)), Object.keys(Object(value)), name)
      }
      assert.equal(warnings.map(inFolder), [
        ...Object.entries(IGNORED).map(
          ([name, [, why]]) => `${name} in irmaserver.${ending}: ignored, because ${why}`,
        ),
        `profile: irma, because no setting gives another one and irmaserver.${ending} has the name of a settings file of irmaserver`,
      ])
      const { settings } = await readNodeSettings({ options, settingsFile: file?.name }, assert.unreachable)
      assert.is(settings.url, 'https://id.example:20444/base/')
      assert.is(settings.profile.name, 'irma')
      assert.equal(settings.maxSessionLifetimeMs, 14 * 60_000)
      assert.equal([...settings.staticSessions.keys()], ['door'])
    },
  )

Existing(
  'the tables have all 73 options of the existing server; each accepted one is an option of this server',
  () => {
    const known: readonly string[] = sessionServer.names
    const taken = [...Object.keys(TAKEN), ...Object.keys(TAKEN_ALONE)]
    assert.equal(
      taken.filter(name => !known.includes(name)),
      [],
    )
    assert.is(new Set([...taken, ...Object.keys(IGNORED), ...Object.keys(REFUSED)]).size, 73)
    for (const [name, value] of Object.entries(TAKEN_ALONE))
      assert.equal(Reflect.get(resolve({ [name]: value }).options, name), value, name)
  },
)

for (const [name, [value, remedy]] of Object.entries(REFUSED))
  Existing(`${name} stops the start, and the message says what to do`, () => {
    assert.throws(
      () => resolve({ [name]: value }),
      (error: Error) => error.message.startsWith(`${name} in `) && remedy.test(error.message),
    )
  })

Existing('unknown names are refused, also names with hyphens or without underscores', () => {
  for (const [name, meant] of Object.entries({ 'listen-addr': 'listen_addr', staticpath: 'static_path' }))
    assert.throws(
      () => resolve({ [name]: 'x' }),
      `got "${name}", which is unknown; the nearest known one is "${meant}"`,
    )
  assert.throws(
    () => resolve({ Port: 1 }, {}, 'settings'),
    'got "Port", which is unknown; the nearest known one is "port"',
  )
})

Existing('irmaserver.yml changes the defaults of profile and jwt_issuer, with a line for each', () => {
  const { options, warnings } = resolve({})
  assert.equal([options.profile, options.jwt_issuer], ['irma', 'irmaserver'])
  const why =
    'because no setting gives another one and irmaserver.yml has the name of a settings file of irmaserver'
  assert.equal(warnings.map(inFolder), [`profile: irma, ${why}`, `jwt_issuer: irmaserver, ${why}`])
  const other = resolve({}, {}, 'settings')
  assert.equal([other.options.profile, other.options.jwt_issuer], ['svc', 'svcserver'])
  assert.equal(other.warnings, [])
})

Existing('a flag, a variable and the file itself have precedence over these defaults', () => {
  const own = { jwt_issuer: 'mine' }
  assert.equal(resolve({ ...own, profile: 'svc' }).warnings, [])
  assert.is(resolve({ ...own, profile: 'svc' }).options.profile, 'svc')
  assert.is(resolve(own, { SVCSERVER_PROFILE: 'svc' }).options.profile, 'svc')
  assert.equal(resolve(own, { SVCSERVER_PROFILE: 'svc' }).warnings, [])
  const flags = { profile: 'svc' }
  const { options, warnings } = sessionServer.resolve({ flags, variables: {}, file: fileOf(own) })
  assert.equal([options.profile, warnings], ['svc', []])
  assert.is(resolve({ ...own, profile: null }).options.profile, 'irma')
})

const SHOP = { auth_method: 'token', key: 'k' }
const SAID = { profile: 'irma', jwt_issuer: 'mine' }

Existing('names of requestors and static sessions become lower case, as in the existing server', () => {
  const values = { ...SAID, requestors: { MyShop: SHOP, other: SHOP }, static_sessions: { Door: ASKING } }
  const { options, warnings } = resolve(values)
  assert.equal(Object.keys(options.requestors), ['myshop', 'other'])
  assert.equal(Object.keys(options.static_sessions), ['door'])
  assert.equal(warnings.map(inFolder), [
    'requestors.MyShop in irmaserver.yml: known as "myshop", as in every server that reads this file',
    'static_sessions.Door in irmaserver.yml: known as "door", as in every server that reads this file',
  ])
  const elsewhere = resolve(values, {}, 'settings')
  assert.equal(Object.keys(elsewhere.options.requestors), ['MyShop', 'other'])
  assert.equal(elsewhere.warnings, [])
  const variables = { SVCSERVER_REQUESTORS: JSON.stringify({ MyShop: SHOP }) }
  assert.equal(Object.keys(resolve(SAID, variables).options.requestors), ['MyShop'])
})

Existing('two names that are equal in lower case stop the start', () => {
  refused(
    () => resolve({ requestors: { Shop: SHOP, other: SHOP, shop: SHOP } }),
    `requestors in ${join(folder, 'irmaserver.yml')}: expected each name once, without regard to letter case, got "shop" for the second time`,
  )
  assert.is(
    Object.keys(resolve({ requestors: { Shop: SHOP, shop: SHOP } }, {}, 'settings').options.requestors)
      .length,
    2,
  )
})

Existing('a variable of the existing server is not read; a line names the variable to use', () => {
  const { options, warnings } = sessionServer.resolve({
    flags: {},
    variables: { IRMASERVER_PORT: '1', IRMASERVER_URL: '', IRMASERVERS: '1', KEYSHARESERVER_PORT: '1' },
    file: undefined,
  })
  assert.is(options.port, 8088)
  assert.equal(warnings, [
    'variable IRMASERVER_PORT: not read; use SVCSERVER_PORT, or --profile irma, with which this variable is read',
  ])
})

Existing('one variable in two spellings with two values is refused', () => {
  const resolved = (second: string) =>
    sessionServer.resolve({
      flags: {},
      variables: { SVCSERVER_PROFILE: 'irma', IRMASERVER_PORT: '8001', IRMASERVER_port: second },
      file: undefined,
    })
  assert.is(resolved('8001').options.port, 8001)
  assert.throws(
    () => resolved('8002'),
    /variable IRMASERVER_port: expected one value of port, got two in two spellings/,
  )
})

Existing('store_type: memory has no effect, and a line names the file of the sessions', async () => {
  const linesOf = async (values: Values) => {
    const { options } = resolve(
      { schemes_path: DEMO_SCHEMES, store_type: 'memory', ...values },
      {},
      'settings',
    )
    const { warnings } = await readNodeSettings({ options }, () => {})
    return warnings.filter(line => line.startsWith('store_type'))
  }
  assert.equal(await linesOf({}), [
    `store_type: without effect, because "store" names no store: sessions are kept in ${defaultStorePath()}`,
  ])
  assert.equal(await linesOf({ store: 'memory' }), [])
  assert.equal(await linesOf({ store_type: '' }), [])
})

Existing('keyshareserver.yml: the default profile is irma', () => {
  const profileOf = (values: Values, name: string) =>
    keyshareServer.resolve({ flags: {}, variables: {}, file: fileOf(values, name) }).options.profile
  assert.is(profileOf({}, 'keyshareserver'), 'irma')
  assert.is(profileOf({ profile: 'svc' }, 'keyshareserver'), 'svc')
  assert.is(profileOf({}, 'irmaserver'), 'svc')
})
Existing.run()
