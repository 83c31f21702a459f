/** A settings file of the existing server under any name. Its name is usually not `irmaserver`. */
import * as assert from 'uvu/assert'
import { otherNameWarning } from '../../server/settings/existing-file.ts'
import { keyshareServer } from '../../server/settings/keyshare-server.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'

const URL_OF_IRMA = 'https://door.example/irma'

function warningsOf(
  values: Readonly<Record<string, unknown>>,
  more: { name?: string; flags?: Record<string, string>; variables?: Record<string, string> } = {},
): readonly string[] {
  const { name = 'irma.yml', flags = {}, variables = {} } = more
  return otherNameWarning(sessionServer, { flags, variables, file: { name, values } })
}

const Looks = suite('settings: a file that looks like one of the existing server')

Looks('a warning names the options that only the existing server has, and the profile to choose', () => {
  assert.equal(warningsOf({ port: 1, url: `${URL_OF_IRMA}/`, no_email: true, sse: false }), [
    'irma.yml looks like a settings file of irmaserver (no_email, sse, "/irma" at the end of "url"), but "profile" is svc: for the web sites and wallet apps of that server write "profile: irma"',
  ])
  for (const values of [{ email: 'a@b.example' }, { url: URL_OF_IRMA }])
    assert.is(warningsOf(values).length, 1, JSON.stringify(values))
  assert.is(warningsOf({ email: 'a@b.example', profile: 'svc' }).length, 1)
})

Looks('no warning if any source chooses the profile irma, or for a file of this server', () => {
  const values = { no_email: true, url: URL_OF_IRMA }
  assert.equal(warningsOf({ ...values, profile: 'irma' }), [])
  assert.equal(warningsOf(values, { flags: { profile: 'irma' } }), [])
  assert.equal(warningsOf(values, { variables: { SVCSERVER_PROFILE: 'irma' } }), [])
  assert.equal(warningsOf(values, { name: 'irmaserver.yml' }), [])
  assert.equal(warningsOf({ port: 1, url: 'https://door.example/' }), [])
  assert.is(warningsOf(values, { variables: { SVCSERVER_PROFILE: '' } }).length, 1)
})

Looks('a keyshare server has the same warning', () => {
  const file = { name: 'kss.yml', values: { db_max_idle: 3 } }
  const warnings = otherNameWarning(keyshareServer, { flags: {}, variables: {}, file })
  assert.match(warnings.join('\n'), /kss\.yml looks like a settings file of keyshareserver \(db_max_idle\)/)
})
Looks.run()
