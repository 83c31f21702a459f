/** Puts a session server together: settings, schemes, store, proof checks, sessions, HTTP; and takes it apart in the opposite order. @module */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { createSystemClock } from '../../actors/clock.ts'
import { createSessions } from '../../actors/create-sessions.ts'
import { createDeliveries } from '../../actors/deliveries.ts'
import { createEffects } from '../../actors/effects/create-effects.ts'
import { createOutgoing } from '../../actors/outgoing.ts'
import { postCallback } from '../../actors/post-callback.ts'
import type { Randomness } from '../../actors/randomness.ts'
import type { PrimeSupply } from '../../actors/workers/primes.ts'
import { createProofPool } from '../../actors/workers/proof-pool.ts'
import { createSessionServer, type SessionServer } from '../../http/server.ts'
import type { ServerSettings } from '../../http/settings.ts'
import { loadSchemes } from '../../schemes/load.ts'
import type { Schemes } from '../../schemes/types.ts'
import { openStore } from '../../stores/open.ts'
import type { SessionStore } from '../../stores/session-store.ts'
import { deliveryLog } from '../deliveries/log.ts'
import { defaultSchemesPath, defaultStorePath, localAddress } from '../directories.ts'
import * as systemRandomness from '../randomness.ts'
import { checkAgainstSchemes } from '../settings/against-schemes.ts'
import type { OptionValues } from '../settings/schema.ts'
import { toServerSettings } from '../settings/server-settings.ts'
import { packageVersion } from '../version.ts'
import { warningsAbout } from './warnings.ts'

type BuiltServer = {
  readonly server: SessionServer
  readonly settings: ServerSettings
  readonly arithmetic: string
  readonly close: () => Promise<void>
}

/** What is not read from the options. Defaults: the system's randomness, and primes that the server finds itself. */
export type Sources = { readonly random?: Randomness; readonly primes?: PrimeSupply }

export type RunningServer = { readonly port: number; readonly close: () => Promise<void> }

/** @throws {SettingsError} @throws {SchemeError} @throws {Error} of the store or the arithmetic, in words for an operator */
export async function buildServer(
  options: OptionValues,
  log: Logger,
  sources: Sources = {},
): Promise<BuiltServer> {
  const settings = toServerSettings(options, localAddress())
  const { privkeys } = options
  const path = options.schemes_path || defaultSchemesPath()
  const schemes = await loadSchemes(path, privkeys === '' ? {} : { privateKeys: privkeys })
  checkAgainstSchemes(options, schemes)
  const bootId = systemRandomness.token()
  const store = await openOptionStore(options.store, bootId)
  return connectParts({ options, settings, schemes, store, bootId, sources, log })
}

async function openOptionStore(name: string, bootId: string): Promise<SessionStore> {
  if (name !== '') return openStore(name, bootId)
  const file = defaultStorePath()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return openStore(`sqlite:${file}`, bootId)
}

type Parts = {
  readonly options: OptionValues
  readonly settings: ServerSettings
  readonly schemes: Schemes
  readonly store: SessionStore
  readonly bootId: string
  readonly sources: Sources
  readonly log: Logger
}

function connectParts({ options, settings, schemes, store, bootId, sources, log }: Parts): BuiltServer {
  const { arithmetic, workers } = options
  const { random = systemRandomness, primes } = sources
  const clock = createSystemClock()
  const pool = createProofPool({
    arithmetic,
    ...(workers > 0 && { threads: workers }),
    ...(primes && { primes }),
  })
  const outgoing = createOutgoing({ fetch, clock })
  const effects = createEffects({ schemes, clock, pool, outgoing, random, settings })
  const report = (session: string, error: unknown): void =>
    log.error({ session, err: error }, 'session failed')
  const sessions = createSessions({ store, clock, bootId, effects, report })
  const { isOverloaded } = pool
  const deliveries = createDeliveries({
    ...{ store, clock, bootId },
    post: postCallback({ clock, outgoing, settings }),
    ...deliveryLog(log),
  })
  const server = createSessionServer({ sessions, schemes, settings, random, clock, log, isOverloaded })
  const close = async (): Promise<void> => {
    await server.close()
    await sessions.close()
    await deliveries.close()
    await pool.close()
    await store.close()
  }
  return { server, settings, arithmetic: pool.arithmetic, close }
}

/** Builds it and listens; the log begins with one line that says what runs.
 *  @throws as `buildServer`, and when the address is not free */
export async function startServer(
  options: OptionValues,
  log: Logger,
  sources?: Sources,
): Promise<RunningServer> {
  const { server, settings, arithmetic, close } = await buildServer(options, log, sources)
  try {
    const { address, port } = await server.listen(options.port, options.listen_addr || undefined)
    log.info(
      {
        version: packageVersion(),
        verbosity: settings.verbosity,
        mode: settings.production ? 'production' : 'development',
        profile: settings.profile.name,
        arithmetic,
        address,
        port,
        url: settings.url,
      },
      'svc server running',
    )
    for (const warning of warningsAbout(settings)) log.warn(warning)
    return { port, close }
  } catch (error) {
    await close()
    throw error
  }
}
