/** Starts a session server: from its options to listeners that answer. @module */
import type { Logger } from 'pino'
import { opened } from './closable.ts'
import { createNode, type SessionNode } from './create-node.ts'
import { openInspector } from './inspector/open-inspector.ts'
import { listen } from './listen.ts'
import { openMetrics } from './metrics/open-metrics.ts'
import type { RunningServer } from './running-server.ts'
import { keysThatExpire } from './settings/expiring.ts'
import { type NodeSettings, readNodeSettings, type SettingsSource } from './settings/node-settings.ts'
import { placeOfShortChecks } from './settings/short-checks.ts'
import { packageVersion } from './version.ts'
import type { World } from './world.ts'

/** Builds the server and listens. One log line then describes the running server.
 *  @throws {SettingsError} also when an address is not free @throws {SchemeError} @throws {Error} of the store or the arithmetic, in words for an operator */
export async function startServer(source: SettingsSource, world: World): Promise<RunningServer> {
  const { log } = world
  const { settings, warnings } = await readNodeSettings(source, line => log.warn(line))
  const { whole, close } = await opened(async onClose => {
    const inspector = await openInspector(settings, world, onClose)
    const counted = { requestors: settings.requestors.map(({ name }) => name), hasAccounts: false }
    const figures = await openMetrics(settings, counted, world, onClose)
    const { metrics } = figures ?? {}
    const node = await createNode(settings, { ...world, metrics, inspection: inspector?.inspection })
    onClose(node.close)
    if (figures) log.info({ address: figures.address }, 'metrics for Prometheus')
    node.schemes.beginUpdates()
    const { readAgain: readCertificatesAgain } = node
    const inspectorAddress = inspector?.address ?? null
    return { ...(await listenTo(node, settings, log)), inspector: inspectorAddress, readCertificatesAgain }
  })
  for (const warning of [...warnings, ...keysThatExpire(settings, world.clock)]) log.warn(warning)
  return { ...whole, close }
}

async function listenTo(
  { server, clientServer, arithmetic }: SessionNode,
  settings: NodeSettings,
  log: Pick<Logger, 'info'>,
): Promise<Pick<RunningServer, 'port' | 'clientPort'>> {
  const { address, port } = await listen(server, settings, '')
  const client = clientServer && (await listen(clientServer, settings, 'client_'))
  log.info(
    {
      version: packageVersion(),
      verbosity: settings.verbosity,
      mode: settings.production ? 'production' : 'development',
      profile: settings.profile.name,
      arithmetic,
      shortChecks: placeOfShortChecks(settings.shortChecks),
      address,
      port,
      ...(client && { clientAddress: client.address, clientPort: client.port }),
      url: settings.url,
    },
    'svc server running',
  )
  return { port, clientPort: client?.port ?? null }
}
