/** `svc oidc --demo`: the provider with two sites and a phone, until a signal stops it. @module */
import { startSignInDemo } from '../../demo/sign-in/start.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { DEMO_SCHEMES } from '../../server/files/demo-schemes.ts'
import { createLog } from '../../server/log/log.ts'
import { oidcServer } from '../../server/settings/oidc-server.ts'
import type { CommandLineInput } from '../servers/options.ts'
import { stopSignal } from '../stop-signal.ts'

/** Of the flags of the server, the demo uses `--port` alone. */
export async function run({ flags }: CommandLineInput): Promise<void> {
  const {
    options: { port },
  } = oidcServer.resolve({ flags: { port: flags.port }, variables: {}, file: undefined })
  const log = createLog({ verbose: 0, quiet: false, log_json: false })
  log.level = 'warn'
  const stopped = stopSignal()
  const { issuer, sites, close } = await startSignInDemo({
    ports: { provider: port, phone: port + 1, shop: port + 2, club: port + 3 },
    schemesPath: DEMO_SCHEMES,
    log,
    clock: createSystemClock(),
    random: systemRandomness,
  })
  process.stdout.write(`OpenID provider: ${issuer}\n`)
  process.stdout.write(`Open ${sites.join(' and ')}\n`)
  await stopped
  await close()
}
