/** Names in the settings of a keyshare server that are unknown, or known only to other keyshare servers (spec/decisions#d29). */
import * as assert from 'uvu/assert'
import { keyshareServer } from '../../../server/settings/keyshare-server.ts'
import { suite } from '../../suite.ts'

const Foreign = suite('settings of other keyshare servers (spec/decisions#d29, spec/keyshare-server#16)')

const FOREIGN: readonly (readonly [name: string, harmless: unknown, refused: unknown])[] = [
  ['db_type', '', 'postgres'],
  ['db_str', '', 'host=127.0.0.1 user=a password=b'],
  ['store_type', 'memory', 'redis'],
  ['disable_schemes_update', 'false', true],
  ['disable_tls', false, '1'],
  ['db_connstring', '', 'host=127.0.0.1 user=a password=b'],
  ['jwt_key_id', '', '7'],
  ['storage_fallback_key_files', [], ['/a']],
]

for (const [name, harmless, refused] of FOREIGN)
  Foreign(
    `${name} of other keyshare servers is ignored if its value changes nothing, and stops the start otherwise`,
    () => {
      const resolve = (value: unknown) =>
        keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values: { [name]: value } } })
      assert.equal(resolve(harmless).warnings, [`${name} in f: ignored, because its value changes nothing`])
      assert.throws(
        () => resolve(refused),
        (error: Error) => {
          assert.match(error.message, new RegExp(`^${name} in f: not supported here.*; delete it: `))
          assert.not.match(error.message, 'password=b')
          return true
        },
      )
    },
  )

Foreign('ignored options of other keyshare servers have a line each, which does not quote the value', () => {
  const names = ['db_max_idle', 'db_max_open', 'db_max_idle_time', 'db_max_open_time', 'redis_addr']
  const values = Object.fromEntries(names.map(name => [name, 1]))
  const { warnings } = keyshareServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } })
  assert.equal(
    warnings.map(line => line.split(' in f: ignored, because ')[0]),
    names,
  )
  assert.not.match(warnings.join(''), '1')
})

Foreign('an unknown name stops the start, in a file and in a variable', () => {
  const nowhere = { flags: {}, variables: {}, file: undefined }
  const wrong = { name: 'f', values: { storage_primary_key: 'a' } }
  assert.throws(
    () => keyshareServer.resolve({ ...nowhere, file: wrong }),
    /the nearest known one is "storage_primary_key_file"/,
  )
  assert.throws(
    () => keyshareServer.resolve({ ...nowhere, variables: { SVCKEYSHARE_KEYSHARE_ATRIBUTE: 'a' } }),
    /the nearest known one is "SVCKEYSHARE_KEYSHARE_ATTRIBUTE"/,
  )
  assert.is(
    keyshareServer.resolve({ ...nowhere, variables: { SVCSERVER_PORT: '1', SVCKEYSHARE_PORT: '2' } }).options
      .port,
    2,
  )
})
Foreign.run()
