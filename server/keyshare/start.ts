/** Starts a keyshare server: from its options to a listener that answers. @module */
import { createMailPort, type MailPort } from '../../ports/mail.ts'
import { opened } from '../closable.ts'
import { openInspector } from '../inspector/open-inspector.ts'
import { listen } from '../listen.ts'
import { openMetrics } from '../metrics/open-metrics.ts'
import type { RunningKeyshareServer } from '../running-server.ts'
import { checkMailServer } from '../settings/keyshare-mail.ts'
import {
  type KeyshareNodeSettings,
  type KeyshareSettingsSource,
  readKeyshareSettings,
} from '../settings/keyshare-settings.ts'
import { placeOfShortChecks } from '../settings/short-checks.ts'
import { ownKeysThatExpire } from '../settings/warnings.ts'
import { packageVersion } from '../version.ts'
import type { KeyshareWorld } from '../world.ts'
import { createKeyshareNode, type KeyshareNode } from './create-keyshare-node.ts'

/** Builds the server and listens. One log line then describes the running server.
 *  @throws {SettingsError} also when the address is not free @throws {SchemeError} @throws {Error} of the store or the arithmetic, in words for an operator */
export async function startKeyshareServer(
  source: KeyshareSettingsSource,
  given: KeyshareWorld,
): Promise<RunningKeyshareServer> {
  const { log } = given
  const { settings, warnings } = await readKeyshareSettings(source, line => log.warn(line))
  const mail = await lookAtMailServer(settings, given)
  const world = { ...given, instead: { ...given.instead, ...(mail && { mail }) } }
  const { whole, close } = await opened(async onClose => {
    const inspector = await openInspector(settings.sessions, world, onClose)
    const figures = await openMetrics(
      settings.sessions,
      { requestors: [], hasAccounts: true },
      world,
      onClose,
    )
    const { metrics } = figures ?? {}
    const node = await createKeyshareNode(settings, { ...world, metrics, inspection: inspector?.inspection })
    onClose(node.close)
    if (figures) log.info({ address: figures.address }, 'metrics for Prometheus')
    node.schemes.beginUpdates()
    const { readAgain: readCertificatesAgain } = node.certificates
    const inspectorAddress = inspector?.address ?? null
    return { ...(await listenTo(node, settings, log)), inspector: inspectorAddress, readCertificatesAgain }
  })
  const expiring = ownKeysThatExpire(settings.sessions.schemes, world.clock)
  for (const warning of [...warnings, ...expiring]) log.warn(warning)
  return { ...whole, close }
}

/** Logs a warning if the mail server cannot be reached.
 *  @returns the port to it; null: the settings name no mail server
 *  @throws {SettingsError} if the mail server refuses these settings for good */
export async function lookAtMailServer(
  { mail }: KeyshareNodeSettings,
  { clock, log, instead }: Pick<KeyshareWorld, 'clock' | 'log' | 'instead'>,
): Promise<MailPort | null> {
  if (mail === null) return null
  const port = instead?.mail ?? createMailPort(mail.server, { clock })
  const warning = await checkMailServer(mail, port)
  if (warning !== null) log.warn(warning)
  return port
}

async function listenTo(
  { server, arithmetic }: KeyshareNode,
  { keyshare, sessions }: KeyshareNodeSettings,
  log: Pick<KeyshareWorld['log'], 'info'>,
): Promise<{ readonly port: number }> {
  const { address, port } = await listen(server, sessions, '')
  log.info(
    {
      version: packageVersion(),
      verbosity: keyshare.verbosity,
      mode: sessions.production ? 'production' : 'development',
      profile: keyshare.profile.name,
      arithmetic,
      shortChecks: placeOfShortChecks(sessions.shortChecks),
      address,
      port,
      url: sessions.url,
      kid: keyshare.signer.kid,
      storageKey: keyshare.storageKeys.primary.id,
    },
    'svc keyshare running',
  )
  return { port }
}
