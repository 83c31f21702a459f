/** A start lists all errors in the settings, one per line. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { FlagError, SettingsError } from '../../server/settings/errors.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { readKeyshareSettings } from '../../server/settings/keyshare-settings.ts'
import { readNodeSettings } from '../../server/settings/node-settings.ts'
import { settingsOfProgram } from '../../server/settings/of-program.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder()

function reasonsOf(error: unknown): readonly string[] {
  assert.instance(error, SettingsError)
  return error instanceof SettingsError ? error.reasons : []
}

/** @returns the place of each reason: the text before its first colon */
async function placesOf(act: () => unknown): Promise<readonly string[]> {
  try {
    await act()
  } catch (error) {
    return reasonsOf(error).map(reason => reason.replace(/:.*/s, ''))
  }
  return []
}

const inFile = (values: Readonly<Record<string, unknown>>) => ({
  flags: {},
  variables: {},
  file: { name: 'f.yml', values },
})

const All = suite('settings: one error lists all mistakes')

All('a missing folder of static files, and a missing key file', async () => {
  const values = { schemes_path: DEMO_SCHEMES, static_path: '/nowhere', jwt_privkey_file: '/nowhere.pem' }
  const { options } = sessionServer.resolve(inFile(values))
  const places = await placesOf(() => readNodeSettings({ options }, () => {}))
  assert.equal([...places].sort(), ['jwt_privkey_file', 'static_path'])
})

All('wrong names and values in flags, variables and the file', async () => {
  const sources = {
    flags: { port: 'x', disable_tls: 'true' },
    variables: { SVCSERVER_PROT: '1', SVCSERVER_WORKERS: 'many' },
    file: {
      name: 'f.yml',
      values: {
        revocation_db_str: 'host=db',
        no_auht: true,
        quiet: 'perhaps',
        requestors: { shop: { auth_metod: 'token', key: 'k' }, bar: { auth_method: 5, kee: 'k' } },
      },
    },
  }
  const places = await placesOf(() => sessionServer.resolve(sources))
  assert.equal(places.toSorted(), [
    'f.yml',
    'flag --disable-tls',
    'flag --port',
    'quiet in f.yml',
    'requestors.bar in f.yml',
    'requestors.bar.auth_method in f.yml',
    'requestors.shop in f.yml', // the missing auth_method is not reported as well
    'revocation_db_str in f.yml',
    'variable SVCSERVER_WORKERS',
    'variables',
  ])
})

All('mistakes in flags alone are a FlagError, with a reason for each', () => {
  assert.throws(
    () => sessionServer.resolve({ flags: { port: 'x', workers: 'y' }, variables: {}, file: undefined }),
    (error: unknown) => error instanceof FlagError && error.reasons.length === 2,
  )
})

All('beside refused names, the other options can be read, so that their values are checked too', () => {
  const { options, refused } = sessionServer.look(inFile({ port: 1234, disable_tls: true, nonsense: 1 }))
  assert.is(options.port, 1234)
  assert.is(refused !== null && reasonsOf(refused).length, 2)
})

All('unknown options of a program', async () => {
  const options = JSON.parse('{"prot": 1, "clientPrt": 2}')
  assert.is((await placesOf(() => settingsOfProgram(options, sessionServer))).length, 2)
})

All('options that contradict each other, wrong keys, and identifiers that no scheme has', async () => {
  const values = {
    production: true,
    schemes_path: DEMO_SCHEMES,
    no_tls: true,
    url: 'ftp://a.example',
    api_prefix: 'x',
    static_prefix: 'y',
    client_port: 8088,
    privkeys: join(folder, 'none'),
    jwt_privkey: 'no key',
    disclose_perms: ['nobody.*', 'svc-demo.*', 'a.b.c.d.e'],
    requestors: {
      a: { auth_method: 'none', key: 'k' },
      b: { auth_method: 'token', key: 'k', issue_perms: ['svc-demo.x.*'] },
      c: { auth_method: 'hmac', key: '!' },
    },
    static_sessions: { door: { request: {} }, 'a b': {} },
    revocation_settings: { 'a.b.c': {} },
  }
  const { options } = sessionServer.resolve(inFile(values))
  const places = await placesOf(() => readNodeSettings({ options }, () => {}))
  assert.equal(places.toSorted(), [
    'api_prefix',
    'client_port',
    'disclose_perms',
    'disclose_perms',
    'jwt_privkey',
    'privkeys',
    'requestors.a.auth_method',
    'requestors.b.issue_perms',
    'requestors.c.key',
    'revocation_settings.a.b.c',
    'static_prefix',
    'static_sessions',
    'static_sessions.door',
    'url',
  ])
})

All('wrong options of a keyshare server', async () => {
  const pem = join(folder, 'no.pem')
  writeFileSync(pem, 'no key')
  const values = {
    production: true,
    schemes_path: DEMO_SCHEMES,
    store: 'memory',
    jwt_privkey_file: pem,
    metrics_port: 8080,
    keyshare_attribute: 'a.b',
    email_server: 'mail.example',
  }
  const { options } = keyshareServer.resolve(inFile(values))
  const places = await placesOf(() => readKeyshareSettings({ options }, () => {}))
  assert.equal(places.map(place => place.replace(` ${pem}`, '')).toSorted(), [
    'email_server',
    'jwt_privkey_file',
    'keyshare_attribute',
    'metrics_port',
    'storage_primary_key_file',
    'store',
    'url',
  ])
})
All.run()
