import * as assert from 'uvu/assert'
import { uncheckedSettings } from '../../server/settings/server-settings.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { suite } from '../suite.ts'

const Settings = suite('settings of the session server')

function settings(values: Readonly<Record<string, unknown>> = {}) {
  const { options } = sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'f', values } })
  return uncheckedSettings(options, '192.0.2.1')
}

Settings('the default limits are those of the specification', () => {
  const { limits, resultLifetimeMs } = settings()
  assert.is(limits.bodyBytes, 10 * 1024 * 1024)
  assert.is(limits.readingMs, 10_000)
  assert.is(limits.handlingMs, 4_000)
  assert.is(limits.outcomeMs, 15_000)
  assert.is(limits.retryAfterSec, 2)
  assert.is(limits.stopMs, 20_000)
  assert.is(limits.stopDelayMs, 0)
  assert.equal([limits.stopIdleMs, limits.headBytes], [200, 65_536])
  assert.is(resultLifetimeMs, 300_000)
})

Settings('a lifetime of 0 means the default', () => {
  const { resultLifetimeMs, maxSessionLifetimeMs } = settings({
    session_result_lifetime: 0,
    max_session_lifetime: 0,
  })
  assert.equal([resultLifetimeMs, maxSessionLifetimeMs], [300_000, 300_000])
})

Settings('in production, the defaults require authentication and allow no issuance', () => {
  const permissionsOf = (production: boolean) => {
    const { noAuth, permissions } = settings({ production })
    return { noAuth, ...permissions }
  }
  const everything = { disclosePerms: ['*'], signPerms: ['*'], revokePerms: [], hostPerms: [] }
  assert.equal(permissionsOf(false), { noAuth: true, issuePerms: ['*'], ...everything })
  assert.equal(permissionsOf(true), { noAuth: false, issuePerms: [], ...everything })
  const said = settings({ production: true, no_auth: true, issue_perms: ['a.*'] })
  assert.is(said.noAuth, true)
  assert.equal(said.permissions.issuePerms, ['a.*'])
})

Settings('the profile gives the default lifetime of a session and the default lowest version', () => {
  const irma = settings({ profile: 'irma' })
  assert.is(irma.maxSessionLifetimeMs, 900_000)
  assert.is(irma.minProtocolVersion, '2.8')
  assert.is(settings().maxSessionLifetimeMs, 300_000)
  assert.is(settings().minProtocolVersion, '2.4')
})

Settings.run()
