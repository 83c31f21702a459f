import * as assert from 'uvu/assert'
import { serverSettings } from '../../http/settings.ts'
import { suite } from '../suite.ts'

const Settings = suite('settings of the session server')
const url = 'http://sessions.example/'

Settings('limits are those of the specification, typed by hand', () => {
  const { limits, resultLifetimeMs } = serverSettings({ url })
  assert.is(limits.bodyBytes, 10 * 1024 * 1024)
  assert.is(limits.readingMs, 10_000)
  assert.is(limits.handlingMs, 4_000)
  assert.is(limits.outcomeMs, 15_000)
  assert.is(limits.stopMs, 20_000)
  assert.is(resultLifetimeMs, 300_000)
})

Settings('production turns authentication on and issues nothing, unless it is said otherwise', () => {
  const permissionsOf = (production: boolean) => {
    const { noAuth, permissions } = serverSettings({ url, production })
    return { noAuth, ...permissions }
  }
  const everything = { disclosePerms: ['*'], signPerms: ['*'], revokePerms: [], hostPerms: [] }
  assert.equal(permissionsOf(false), { noAuth: true, issuePerms: ['*'], ...everything })
  assert.equal(permissionsOf(true), { noAuth: false, issuePerms: [], ...everything })
  const said = serverSettings({ url, production: true, noAuth: true, permissions: { issuePerms: ['a.*'] } })
  assert.is(said.noAuth, true)
  assert.equal(said.permissions.issuePerms, ['a.*'])
})

Settings('the lifetime of a session and the lowest version are those of the profile', () => {
  const irma = serverSettings({ url, profile: 'irma' })
  assert.is(irma.maxSessionLifetimeMs, 900_000)
  assert.is(irma.minProtocolVersion, '2.8')
  assert.is(serverSettings({ url }).maxSessionLifetimeMs, 300_000)
  assert.is(serverSettings({ url }).minProtocolVersion, '2.4')
})

Settings.run()
