/** Starts an OpenID provider: from its options to a listener that answers. @module */
import { opened } from '../closable.ts'
import { openInspector } from '../inspector/open-inspector.ts'
import { listen } from '../listen.ts'
import { openMetrics } from '../metrics/open-metrics.ts'
import type { RunningOidcServer } from '../running-server.ts'
import {
  type OidcNodeSettings,
  type OidcSettingsSource,
  readOidcSettings,
} from '../settings/oidc-settings.ts'
import { placeOfShortChecks } from '../settings/short-checks.ts'
import { ownKeysThatExpire } from '../settings/warnings.ts'
import { packageVersion } from '../version.ts'
import type { World } from '../world.ts'
import { createOidcNode, type OidcNode } from './create-oidc-node.ts'
import { probeRemote } from './remote/probe.ts'

/** Builds the server and listens. One log line then describes the running server.
 *  @throws {SettingsError} also when the address is not free @throws {SchemeError} @throws {Error} of the store or the arithmetic, in words for an operator */
export async function startOidcServer(source: OidcSettingsSource, world: World): Promise<RunningOidcServer> {
  const { log } = world
  const { settings, warnings } = await readOidcSettings(source, line => log.warn(line))
  const { whole, close } = await opened(async onClose => {
    const inspector = await openInspector(settings.sessions, world, onClose)
    const names = settings.clients.map(({ client_id }) => client_id)
    const counted = { requestors: [], hasAccounts: false, clients: names }
    const figures = await openMetrics(settings.sessions, counted, world, onClose)
    const { metrics } = figures ?? {}
    const node = await createOidcNode(settings, { ...world, metrics, inspection: inspector?.inspection })
    onClose(node.close)
    if (figures) log.info({ address: figures.address }, 'metrics for Prometheus')
    node.schemes.beginUpdates()
    const { readAgain: readCertificatesAgain } = node.certificates
    const inspectorAddress = inspector?.address ?? null
    return { ...(await listenTo(node, settings, log)), inspector: inspectorAddress, readCertificatesAgain }
  })
  const expiring = ownKeysThatExpire(settings.sessions.schemes, world.clock)
  for (const warning of [...warnings, ...expiring]) log.warn(warning)
  // only now, and only a warning: the session server may start later than the provider, so listening does not wait for it
  const mistake = await probeRemote(settings, world)
  if (mistake !== null) log.warn(mistake.text)
  return { ...whole, close }
}

async function listenTo(
  { server, arithmetic }: OidcNode,
  { oidc, sessions, clients, storageKeys }: OidcNodeSettings,
  log: Pick<World['log'], 'info'>,
): Promise<{ readonly port: number }> {
  const { address, port } = await listen(server, sessions, '')
  log.info(
    {
      version: packageVersion(),
      verbosity: oidc.verbosity,
      mode: sessions.production ? 'production' : 'development',
      profile: oidc.profile.name,
      arithmetic,
      shortChecks: placeOfShortChecks(sessions.shortChecks),
      address,
      port,
      issuer: oidc.issuer,
      clients: clients.length,
      storageKey: storageKeys.primary.id,
    },
    'svc oidc running',
  )
  return { port }
}
