/** Forms of values that the existing server accepts in flags, variables and files. This server reads them as follows (spec/schemes-and-cli#17.2). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readSettingsFile } from '../../server/settings/read-file.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { refused } from './refused.ts'

const folder = temporaryFolder()
const NOWHERE = { flags: {}, variables: {}, file: undefined }

const inFlag = (name: string, text: string) =>
  sessionServer.resolve({ ...NOWHERE, flags: { [name]: text } }).options
const inVariable = (name: string, text: string) =>
  sessionServer.resolve({ ...NOWHERE, variables: { [`SVCSERVER_${name.toUpperCase()}`]: text } }).options

/** @param ending of the file name; it decides the format */
function inFile(ending: string, text: string) {
  const path = join(folder, `settings.${ending}`)
  writeFileSync(path, text)
  return sessionServer.resolve({ ...NOWHERE, file: readSettingsFile(path, []) }).options
}

const SPELLINGS = [
  [true, ['1', 't', 'T', 'true', 'True', 'TRUE']],
  [false, ['0', 'f', 'F', 'false', 'False', 'FALSE']],
] as const

const Switches = suite('settings: true and false as the existing server reads them')

for (const [expected, texts] of SPELLINGS)
  for (const text of texts)
    Switches(`${text} is ${expected}, in a flag, a variable and a file of each format`, () => {
      // the default of each option is the other value
      const name = expected ? 'production' : 'no_auth'
      assert.is(inFlag(name, text)[name], expected)
      assert.is(inVariable(name, text)[name], expected)
      assert.is(inFile('yaml', `${name}: "${text}"`)[name], expected)
      assert.is(inFile('yml', `${name}: ${text}`)[name], expected)
      assert.is(inFile('toml', `${name} = "${text}"`)[name], expected)
      assert.is(inFile('json', `{"${name}": "${text}"}`)[name], expected)
    })

Switches('a number in a file is true unless it is 0', () => {
  for (const [ending, text] of [
    ['json', '{"production": 2, "no_auth": 0}'],
    ['toml', 'production = 1\nno_auth = 0'],
  ] as const) {
    const { production, no_auth } = inFile(ending, text)
    assert.equal([production, no_auth], [true, false], ending)
  }
})

Switches('only in YAML the words of YAML 1.1 are accepted, such as yes and off', () => {
  for (const word of ['yes', 'Yes', 'YES', 'on', 'On', 'ON', 'y', 'Y'])
    assert.is(inFile('yaml', `production: ${word}`).production, true, word)
  for (const word of ['no', 'No', 'NO', 'off', 'Off', 'OFF', 'n', 'N'])
    assert.is(inFile('yaml', `no_auth: ${word}`).no_auth, false, word)
  refused(() => inFile('json', '{"no_auth": "no"}'), /^no_auth in .*json: expected true or false, got "no"$/)
  refused(() => inFlag('no_auth', 'no'), 'flag --no-auth: expected true or false, got "no"')
  refused(() => inVariable('no_auth', 'off'), 'variable SVCSERVER_NO_AUTH: expected true or false, got "off"')
})

Switches('every other spelling is refused', () => {
  for (const text of ['', 'tRUE', 'wahr', '2', '-1', ' true'])
    refused(() => inFlag('no_auth', text), /^flag --no-auth: expected true or false, got /)
  refused(() => inFile('yaml', 'no_auth: "truE"'), /expected true or false, got "truE"$/)
})

Switches('members of revocation_settings have the same spellings', () => {
  const yaml = 'revocation_settings: {a.b.c: {authority: yes, server: "0", sse: True}}'
  const setting = inFile('yaml', yaml).revocation_settings['a.b.c']
  assert.equal([setting?.authority, setting?.server, setting?.sse], [true, false, true])
  refused(
    () => inFile('yaml', 'revocation_settings: {a.b.c: {authority: perhaps}}'),
    /^revocation_settings\.a\.b\.c\.authority in .*: expected true or false, got perhaps|"perhaps"$/,
  )
})
Switches.run()

const Others = suite('settings: numbers, lists, texts and objects as the existing server reads them')

Others('a number in a text has decimal digits only, for every option', () => {
  assert.is(inFlag('port', '8080').port, 8080)
  const wrong = [
    '8080.0',
    '+8080',
    '8_080',
    '0x1f90',
    '0X1F90',
    '0o17620',
    '017620',
    '0b1_1111_1001_0000',
    '٨٠٨٠',
    '8__080',
    '_8080',
    '8080_',
    '08080',
    '0xg',
    '1e3',
    ' 8080',
    '-0x1',
    '-8080',
  ]
  for (const text of wrong) {
    refused(() => inVariable('port', text), /^variable SVCSERVER_PORT: expected an integer from 1 to 65535, /)
    refused(() => inFlag('port', text), /^flag --port: expected an integer from 1 to 65535, /)
    refused(
      () => inFile('json', JSON.stringify({ port: text })),
      /^port in .*: expected an integer from 1 to 65535, /,
    )
  }
  for (const option of sessionServer.names) {
    const { form } = sessionServer.factsOf(option)
    if (form === 'number' || form === 'count')
      refused(() => inFlag(option, '0x1'), /: expected an integer from /)
  }
})

Others('a number of a file may be a text', () => {
  for (const [ending, text] of [
    ['yaml', 'port: "8081"'],
    ['toml', 'port = "8081"'],
    ['json', '{"port": "8081"}'],
  ] as const)
    assert.is(inFile(ending, text).port, 8081, ending)
})

Others('a list may be a text with commas or blanks, in every source', () => {
  const expected = ['a.b.*', 'c.d.e.f']
  for (const text of ['a.b.*,c.d.e.f', 'a.b.* c.d.e.f', ' a.b.*,  c.d.e.f\n']) {
    assert.equal(inFlag('disclose_perms', text).disclose_perms, expected)
    assert.equal(inVariable('disclose_perms', text).disclose_perms, expected)
    assert.equal(inFile('json', JSON.stringify({ disclose_perms: text })).disclose_perms, expected)
  }
})

Others('a text of a file may be written as a whole number, if no digit of it is lost', () => {
  assert.is(inFile('yaml', 'redis_pw: 12345').redis_pw, '12345')
  refused(
    () => inFile('yaml', 'redis_pw: 12345678901234567890'),
    /expected text, got a number that is not shown$/,
  )
})

Others('a choice such as 2.7 may be written as a number', () => {
  for (const ending of ['yaml', 'json', 'toml']) {
    const sign = ending === 'toml' ? '=' : ':'
    const text = `"min_protocol_version" ${sign} 2.7`
    assert.is(inFile(ending, ending === 'json' ? `{${text}}` : text).min_protocol_version, '2.7')
  }
  refused(() => inFile('yaml', 'min_protocol_version: 2.3'), /expected one of 2.4, .*, got 2.3$/)
  refused(() => inFile('yaml', 'min_protocol_version: [2.7]'), /expected one of 2.4, .*, got a list$/)
})

Others('a YAML number in another base is a text: refused for a number, and kept for a text', () => {
  for (const text of ['0x1F90', '0o17', '010', '08', '-010']) {
    refused(() => inFile('yaml', `port: ${text}`), new RegExp(`expected an integer .*, got "${text}"$`))
    assert.is(inFile('yaml', `redis_pw: ${text}`).redis_pw, text)
  }
  for (const text of ['8080', '8_080', '+8080']) {
    const read = () => inFile('yaml', `port: ${text}`).port
    if (text === '8_080') refused(read, /expected an integer/)
    else assert.is(read(), 8080)
  }
  assert.is(inFile('yaml', 'stop_delay: 0s\nmetrics_port: 0').metrics_port, 0)
  assert.is(inFile('toml', 'port = 0x1F90').port, 8080) // TOML defines this notation
})

Others('an object of a file may be a text in JSON', () => {
  const requestors = { shop: { auth_method: 'token', key: 'k' } }
  const text = JSON.stringify({ requestors: JSON.stringify(requestors) })
  assert.is(inFile('json', text).requestors.shop?.key, 'k')
  refused(() => inFile('json', '{"requestors": "{"}'), /^requestors in .*: expected JSON, got /)
})

Others('a YAML file may merge an object from elsewhere in the file', () => {
  const yaml = `
requestors:
  a: &perms {auth_method: token, key: one, disclose_perms: [a.b.*]}
  b: {<<: *perms, key: two}`
  const { a, b } = inFile('yaml', yaml).requestors
  assert.equal([a?.key, b?.key, b?.disclose_perms], ['one', 'two', ['a.b.*']])
})
Others.run()
