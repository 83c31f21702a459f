/** Settings files that do not parse. The error gives the line and the reason, and quotes nothing from the file. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SettingsError } from '../../server/settings/errors.ts'
import { readSettingsFile } from '../../server/settings/read-file.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder()

const Files = suite('settings files that do not parse: the error has line and reason, and quotes nothing')

/** Each file has a secret near the mistake. */
const BROKEN: readonly (readonly [name: string, content: string, reason: string])[] = [
  ['a.json', '{\n  "key": secret\n}', 'line 2: expected a value'],
  ['a.json', '{"key": "secret"\n "port": 1}', 'line 2: expected "," or "}"'],
  ['a.json', '{"key": "secret', 'line 1: expected "\\"" at the end of a string'],
  ['a.json', '{"port": 1,\n "port": "secret"}', 'line 2: "port" for the second time'],
  [
    'a.json',
    '{"requestors":{"a":{"key":"secret",\n"sign_perms":[],\n"sign_perms":["*"]}}}',
    'line 3: "sign_perms" for the second time',
  ],
  [
    'a.json',
    '{\n"__proto__": "secret"}',
    'line 2: expected another member name than __proto__, constructor or prototype',
  ],
  ['a.json', `${'['.repeat(65)}`, 'expected at most 64 levels of nesting, got more'],
  ['a.yaml', 'port: 1\nkey: "secret', 'line 2: Missing closing "quote'],
  ['a.yaml', 'port: 1\nkey: !secret word', 'line 2: Unresolved tag'],
  ['a.yaml', 'port: 1\nkey: !secret!', 'line 2: The tag has no suffix'],
  ['a.yaml', '...\n%secret\n', 'line 2: Unknown directive'],
  ['a.yaml', 'port: 1\nkey: |secret\n', 'line 2: Block scalar header includes extra characters'],
  ['a.yaml', 'port: 1\nkey: *secret', 'Unresolved alias (the anchor must be set before the alias)'],
  ['a.yaml', 'port: 1\nkey: "\\secret"', 'line 2: Invalid escape sequence'],
  ['a.yaml', 'key: a: secret', 'line 1: Nested mappings are not allowed in compact mappings'],
  ['a.yml', 'port: 1\nport: 2', 'line 2: "port" for the second time'],
  ['a.yaml', 'a:\n  key: secret\n  key: secret', 'line 3: "key" for the second time'],
  ['a.yaml', '{"key": "secret", "key": "secret"}', 'line 1: "key" for the second time'],
  ['a.yaml', 'my secret: 1\nmy secret: 2', 'line 2: "my..." for the second time'],
  ['a.toml', 'a = 1\na = "secret"', 'line 2: "a" for the second time'],
  ['a.toml', '[a]\nb = 1\n[a.b]\nkey = "secret"', 'line 3: "a.b" for the second time'],
  ['a.toml', 'a = {b = 1, b = "secret"}', 'line 1: "b" for the second time'],
  ['a.toml', 'a = 1\nkey = secret', 'line 2: invalid value'],
  ['a.toml', 'a = 1\nkey = "secret', 'line 2: unfinished string'],
]

for (const [name, content, reason] of BROKEN)
  Files(`${name}: ${reason}`, () => {
    const path = join(folder, name)
    writeFileSync(path, content)
    try {
      readSettingsFile(path, [])
    } catch (error) {
      assert.instance(error, SettingsError)
      const message = error instanceof Error ? error.message : ''
      const format = name.replace(/^a\./, '')
      assert.is(message, `settings file ${path}: expected ${format}, got another text: ${reason}`)
      return
    }
    assert.unreachable('nothing was refused')
  })

Files('bytes that are not UTF-8: a name would be another one than that in the file', () => {
  const path = join(folder, 'latin.yml')
  writeFileSync(path, Buffer.from('jwt_issuer: caf\u00e9 secret\n', 'latin1'))
  const read = () => readSettingsFile(path, [])
  const expected = `settings file ${path}: expected UTF-8, got other bytes`
  assert.throws(read, (error: Error) => error instanceof SettingsError && error.message === expected)
})

Files.run()
