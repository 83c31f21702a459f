import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readSettingsFile, type SettingsFile } from '../../server/settings/read-file.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { refused } from './refused.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-settings-'))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

type OptionSources = {
  readonly flags?: Record<string, string>
  readonly variables?: Record<string, string>
  readonly file?: SettingsFile['values']
}

function resolve({ flags = {}, variables = {}, file: values }: OptionSources = {}) {
  return sessionServer.resolve({ flags, variables, file: values && { name: 'settings.json', values } })
}

const Sources = suite('settings: the sources of a value (spec/schemes-and-cli#17.1)')

Sources('a flag has precedence over a variable, a variable over a file, a file over the default', () => {
  const flags = { port: '1001' }
  const variables = { SVCSERVER_PORT: '1002' }
  const values = { port: 1003 }
  assert.is(resolve({ flags, variables, file: values }).options.port, 1001)
  assert.is(resolve({ variables, file: values }).options.port, 1002)
  assert.is(resolve({ file: values }).options.port, 1003)
  assert.is(resolve().options.port, 8088)
})

Sources('an empty variable counts as not set', () => {
  assert.is(resolve({ variables: { SVCSERVER_PORT: '' }, file: { port: 1003 } }).options.port, 1003)
})

Sources('"production" changes two defaults, and the file has precedence over them', () => {
  const production = resolve({ variables: { SVCSERVER_PRODUCTION: 'true' } }).options
  assert.equal([production.no_auth, production.issue_perms], [false, []])
  const told = resolve({ file: { production: true, no_auth: true, issue_perms: ['*'] } }).options
  assert.equal([told.no_auth, told.issue_perms], [true, ['*']])
  const development = resolve().options
  assert.equal([development.no_auth, development.issue_perms], [true, ['*']])
})

Sources('an explicitly empty list stays empty', () => {
  assert.equal(resolve({ flags: { disclose_perms: '' } }).options.disclose_perms, [])
  assert.equal(resolve({ file: { disclose_perms: [] } }).options.disclose_perms, [])
})

Sources('lists are split at commas, objects are JSON, in flags and variables', () => {
  const requestors = '{"MyApp":{"auth_method":"token","key":"abc"}}'
  const { options } = resolve({
    flags: { sign_perms: 'a.*,b.c.d.e' },
    variables: { SVCSERVER_REQUESTORS: requestors },
  })
  assert.equal(options.sign_perms, ['a.*', 'b.c.d.e'])
  assert.is(options.requestors.MyApp?.key, 'abc')
})

Sources('the error for a wrong value has its source, the expected and the received value', () => {
  const expected = 'expected an integer from 1 to 65535, got'
  refused(() => resolve({ flags: { port: 'x' } }), `flag --port: ${expected} "x"`)
  refused(() => resolve({ variables: { SVCSERVER_PORT: '0' } }), `variable SVCSERVER_PORT: ${expected} 0`)
  refused(() => resolve({ file: { port: 70_000 } }), `port in settings.json: ${expected} 70000`)
  refused(() => resolve({ flags: { profile: 'other' } }), /expected one of svc, irma, got "other"$/)
  refused(() => resolve({ flags: { production: 'yes' } }), /expected true or false, got "yes"$/)
  refused(() => resolve({ file: { disclose_perms: 5 } }), /expected a list of patterns, got 5$/)
})

Sources('a duplicate member in the JSON of a flag or a variable is refused, with its name', () => {
  const text = '{"a":{"auth_method":"token","key":"secret","issue_perms":[],"issue_perms":["*"]}}'
  const message = 'expected JSON, got another text: line 1: "issue_perms" for the second time'
  refused(() => resolve({ flags: { requestors: text } }), `flag --requestors: ${message}`)
  refused(
    () => resolve({ variables: { SVCSERVER_REQUESTORS: text } }),
    `variable SVCSERVER_REQUESTORS: ${message}`,
  )
})

Sources('no message quotes the values of requestors', () => {
  const values = { requestors: { shop: { auth_method: 'token', key: 123_456 } } }
  refused(
    () => resolve({ file: values }),
    'requestors.shop.key in settings.json: expected text, got a number that is not shown',
  )
})
Sources.run()

const Files = suite('settings: files (spec/schemes-and-cli#17.2)')
Files.after(() => rmSync(folder, { recursive: true }))

Files('JSON, YAML and TOML give the same options; names of requestors keep their case', () => {
  const forms = {
    'a.json': '{"port":1,"requestors":{"MyApp":{"auth_method":"token","key":"k"}}}',
    'a.yaml': 'port: 1\nrequestors:\n  MyApp:\n    auth_method: token\n    key: k\n',
    'a.toml': 'port = 1\n[requestors.MyApp]\nauth_method = "token"\nkey = "k"\n',
  }
  for (const [name, text] of Object.entries(forms)) {
    const { options } = resolve({ file: readSettingsFile(file(name, text), [])?.values ?? {} })
    assert.is(options.port, 1, name)
    assert.is(options.requestors.MyApp?.key, 'k', name)
  }
})

Files('the named file is read, even beside a file of another format', () => {
  file('b.json', '{"port":1}')
  assert.equal(readSettingsFile(file('b.yaml', 'port: 2'), [])?.values, { port: 2 })
})

Files(
  'without a name, the first directory with svcserver.json, .toml, .yaml or .yml counts; a file is optional',
  () => {
    assert.is(readSettingsFile(undefined, [join(folder, 'svcserver')]), undefined)
    file('svcserver.yaml', 'port: 3')
    assert.equal(readSettingsFile(undefined, ['/nonexistent/svcserver', join(folder, 'svcserver')])?.values, {
      port: 3,
    })
    file('svcserver.json', '{"port":4}')
    assert.equal(readSettingsFile(undefined, [join(folder, 'svcserver')])?.values, { port: 4 })
  },
)

Files('a missing file, a folder, an unknown format and a file that does not parse are refused', () => {
  refused(
    () => readSettingsFile(join(folder, 'none.json'), []),
    /expected an existing file, got .*none\.json$/,
  )
  refused(() => readSettingsFile(folder, []), /expected an existing file/)
  refused(
    () => readSettingsFile(file('c.ini', ''), []),
    /expected \.json, \.toml, \.yaml, \.yml, got .*c\.ini$/,
  )
  refused(
    () => readSettingsFile(file('d.json', '{"key": secret}'), []),
    /d\.json: expected json, got another text: line 1: expected a value$/,
  )
  refused(
    () => readSettingsFile(file('d.yaml', 'a: 1\nb: [secret'), []),
    /expected yaml, got another text: line 2: Flow sequence [^\n]+$/,
  )
  refused(
    () => readSettingsFile(file('d.toml', 'a = 1\nb = secret'), []),
    /expected toml, got another text: line 2: invalid value$/,
  )
  refused(() => readSettingsFile(file('e.json', '[1]'), []), /expected options by name, got another value$/)
})
Files.run()
