/** The session server that `svc session` starts itself: in memory, in developer mode, for one requestor. @module */
import { systemRandomness } from '../../ports/randomness.ts'
import { createLog } from '../../server/log/log.ts'
import { sessionServer } from '../../server/settings/session-server.ts'
import { startServer } from '../../server/start.ts'
import { systemWorld } from '../../server/world.ts'
import type { SessionFlags } from './flags.ts'

export type OwnServer = {
  readonly server: string
  readonly token: string
  readonly close: () => Promise<void>
}

/** Listens on all addresses, so that a phone can reach it. A random token excludes other requestors.
 *  @throws {SettingsError} for a flag that the server cannot use */
export async function startOwnServer(flags: SessionFlags): Promise<OwnServer> {
  const key = systemRandomness.token()
  const given = { flags: serverFlags(flags, key), variables: {}, file: undefined }
  const { options } = sessionServer.resolve(given)
  const log = createLog({ ...options, quiet: true })
  const running = await startServer({ options, isForOneSession: true }, systemWorld(log))
  return { server: `http://127.0.0.1:${running.port}`, token: key, close: running.close }
}

function serverFlags(flags: SessionFlags, key: string) {
  return {
    profile: flags.profile,
    port: flags.port,
    url: flags.url,
    schemes_path: flags.schemesPath,
    privkeys: flags.privkeys,
    store: 'memory',
    schemes_update: '0', // it stops before an update would be needed
    allow_unsigned_callbacks: 'true', // it has no key, and the addresses come from its own user
    no_auth: 'false',
    requestors: JSON.stringify({ 'svc session': { auth_method: 'token', key } }),
  }
}
