/** The start and the check of each server report the refusals of all stages together: words, files, values, and combinations of values. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { runSvc } from './run-svc.ts'

const SCHEMES = ['--schemes-path', 'demo/schemes']
const folder = temporaryFolder()
const file = join(folder, 'all.json')

const All = suite('svc server and svc keyshare: all that is refused is named at once')

/** @returns the place or the flag of each reason, and the code */
async function refusedBy(words: readonly string[], values: object, variables = {}) {
  writeFileSync(file, JSON.stringify(values))
  const { code, stdout, stderr } = await runSvc([...words, '--config', file], variables)
  assert.is(stdout, '')
  assert.not.match(stderr, 'topsecret')
  const lines = stderr.split('\n').filter(line => line !== '')
  return {
    code,
    places: lines.map(line =>
      line
        .replace('svc: ', '')
        .replace(/:.*| \(Did.*/, '')
        .replace(file, 'FILE'),
    ),
  }
}

All('unknown flags, unreadable values of each source, and combinations of the other values', async () => {
  const values = {
    prot: 8,
    port: 'x',
    production: 'perhaps',
    api_prefix: 'x',
    disclose_perms: ['nobody.*'],
    requestors: { shop: { auth_method: 5, key: 'k' }, bar: { auth_method: 'none', key: 'k' } },
  }
  for (const command of [['server', 'check'], ['server']]) {
    const words = [...command, '--nope', '5', '--jwt-privky=topsecret', '--workers', 'many', ...SCHEMES]
    const { code, places } = await refusedBy(words, values, { SVCSERVER_QUIET: 'maybe' })
    assert.is(code, 1)
    assert.equal(places.toSorted(), [
      'FILE',
      'api_prefix',
      'disclose_perms',
      'flag --workers',
      'port in FILE',
      'production in FILE',
      'requestors.bar.auth_method',
      'requestors.shop.auth_method in FILE',
      "unknown option '--jwt-privky'",
      "unknown option '--nope'",
      'variable SVCSERVER_QUIET',
    ])
  }
})

All('the same for a keyshare server', async () => {
  const words = ['keyshare', 'check', '--nope', '--port', 'y', ...SCHEMES]
  const { code, places } = await refusedBy(words, { email_server: 'mail.example', expiry_delay: 'long' })
  assert.is(code, 1)
  assert.equal(places.toSorted(), [
    'email_server',
    'expiry_delay in FILE',
    'flag --port',
    'jwt_privkey',
    'keyshare_attribute',
    'storage_primary_key_file',
    "unknown option '--nope'",
  ])
})

All('a bad value of every option, in one check of each server', async () => {
  for (const [word, server] of [
    ['server', sessionServer],
    ['keyshare', keyshareServer],
  ] as const) {
    for (const value of [1.5, ['topsecret', 5], { name: ['topsecret'] }]) {
      const values = Object.fromEntries(server.names.map(name => [name, value]))
      const { code, places } = await refusedBy([word, 'check'], values)
      assert.is(code, 1)
      const said = places.map(place => place.replace(/[. ].*/, ''))
      assert.equal(
        server.names.filter(name => !said.includes(name)),
        [],
      )
      assert.equal(
        said.filter(name => !server.names.some(known => known === name)),
        [],
      )
    }
  }
})

All('a value that cannot be read causes no second line', async () => {
  const values = {
    metrics_port: 8088,
    client_listen_addr: '127.0.0.1',
    no_auth: 'perhaps',
    requestors: { shop: 5 },
  }
  const { places } = await refusedBy(
    ['server', 'check', '--port', 'x', '--client-port', 'y', ...SCHEMES],
    values,
  )
  assert.equal(places.toSorted(), [
    'flag --client-port',
    'flag --port',
    'no_auth in FILE',
    'requestors.shop in FILE',
  ])
})

All('flags are checked even if the settings file does not exist', async () => {
  const { code, stderr } = await runSvc(['server', 'check', '--port', 'x', '-c', join(folder, 'none.yml')])
  assert.is(code, 1)
  assert.match(
    stderr,
    /^svc: settings file: expected an existing file, got .*\nsvc: flag --port: expected an integer /,
  )
  assert.is(stderr.split('\n').length, 3)
})

All('other commands of a server refuse unknown flags, and accept their own', async () => {
  for (const words of [
    ['keyshare', 'keygen', 'jwt', '--nope'],
    ['server', 'options', '--nope'],
  ]) {
    const { code, stderr } = await runSvc(words)
    assert.is(code, 255)
    assert.match(stderr, /^Error: unknown option '--nope'\n/)
  }
  const key = join(folder, 'a.key')
  assert.is((await runSvc(['keyshare', 'keygen', 'storage', '--key-file', key])).code, 0)
})

All.run()
