/** Puts a session server together: settings, schemes, store, proof checks, sessions, HTTP; and takes it apart in the opposite order. @module */
import type { Logger } from 'pino'
import { createSessions } from '../actors/create-sessions.ts'
import { createDeliveries } from '../actors/deliveries/deliveries.ts'
import { postCallback } from '../actors/deliveries/post-callback.ts'
import { createEffects } from '../actors/effects/create-effects.ts'
import { createRevocation, type RevocationDeps } from '../actors/revocation/create-revocation.ts'
import type { Revocation } from '../actors/revocation/revocation.ts'
import type { PrimeSupply } from '../actors/workers/primes.ts'
import { createProofPool, type ProofPool } from '../actors/workers/proof-pool.ts'
import { eventStreams } from '../http/event-stream.ts'
import { createSessionServer, type SessionServer } from '../http/server.ts'
import type { ServerSettings } from '../http/settings.ts'
import { type Clock, createSystemClock } from '../ports/clock.ts'
import { createEventSource } from '../ports/event-source.ts'
import { createOutgoing } from '../ports/outgoing.ts'
import { type Randomness, systemRandomness } from '../ports/randomness.ts'
import { loadSchemes } from '../schemes/load.ts'
import type { Schemes } from '../schemes/types.ts'
import { unknownMembersLog } from '../sessions/unknown-members-log.ts'
import type { Store } from '../stores/store.ts'
import type { StoreLost } from '../stores/store-failure.ts'
import { localAddress } from './files/directories.ts'
import { schemesFolder } from './files/schemes-folder.ts'
import { listen } from './listen.ts'
import { deliveryLog } from './log/delivery-log.ts'
import { hashedValueLog } from './log/hashed-value-log.ts'
import { openOptionStore, unlessOfStore } from './open-option-store.ts'
import { checkAgainstSchemes } from './settings/against-schemes.ts'
import { durationMs } from './settings/duration.ts'
import { type CheckedRevocation, revocationSettingsOf } from './settings/revocation.ts'
import { toServerSettings } from './settings/server-settings.ts'
import type { OptionValues } from './settings/session-server.ts'
import { checkStaticPath } from './settings/static-path.ts'
import { checkStaticSessions } from './settings/static-sessions.ts'
import { packageVersion } from './version.ts'
import { warningsAbout } from './warnings.ts'

type BuiltServer = {
  readonly server: SessionServer
  /** of clients, where they have a listener of their own */
  readonly clientServer: SessionServer | null
  readonly settings: ServerSettings
  readonly arithmetic: string
  /** of what is allowed and perhaps not meant, for the log */
  readonly warnings: readonly string[]
  readonly close: () => Promise<void>
}

/** What is not read from the options. Defaults: the system's randomness, primes that the server finds itself, and the store of the options. */
export type Sources = {
  readonly random?: Randomness
  readonly primes?: PrimeSupply
  readonly store?: Store
  /** where the options were read from */
  readonly settingsFile?: string | undefined
  /** started by the person who asks, for what is asked: keys of the schemes that it cannot issue with do not matter */
  readonly isForOneSession?: boolean
  /** called if another process takes over the store of the options: this server can do nothing more; by default it closes */
  readonly lost?: (error: StoreLost) => void
}

export type RunningServer = {
  readonly port: number
  /** null: clients use the same */
  readonly clientPort: number | null
  readonly close: () => Promise<void>
}

/** @throws {SettingsError} @throws {SchemeError} @throws {Error} of the store or the arithmetic, in words for an operator */
export async function buildServer(
  options: OptionValues,
  log: Logger,
  sources: Sources = {},
): Promise<BuiltServer> {
  const settings = toServerSettings(options, localAddress())
  checkStaticPath(options, sources.settingsFile)
  const { privkeys } = options
  const path = schemesFolder(options.schemes_path, options.production, line => log.warn(line))
  const schemes = await loadSchemes(path, privkeys === '' ? {} : { privateKeys: privkeys })
  checkAgainstSchemes(options, schemes)
  const revocation = revocationSettingsOf(options, schemes, sources.isForOneSession)
  checkStaticSessions(settings, schemes)
  const bootId = systemRandomness.token()
  const clock = createSystemClock()
  let lose: (error: StoreLost) => void = sources.lost ?? (() => {})
  const opened = { bootId, clock, log, lost: (error: StoreLost) => lose(error) }
  const store = sources.store ?? (await openOptionStore(options.store, opened))
  const built = await connectParts({
    ...{ options, settings, schemes, revocation, store, bootId, clock, sources, log },
  })
  lose = sources.lost ?? (() => void built.close())
  return built
}

type Parts = {
  readonly options: OptionValues
  readonly settings: ServerSettings
  readonly schemes: Schemes
  readonly revocation: CheckedRevocation
  readonly store: Store
  readonly bootId: string
  readonly clock: Clock
  readonly sources: Sources
  readonly log: Logger
}

async function connectParts(built: Parts): Promise<BuiltServer> {
  const { options, settings, schemes, store, bootId, clock, sources, log } = built
  const { random = systemRandomness } = sources
  const pool = proofPoolOf(options, sources, clock)
  const outgoing = createOutgoing({ fetch, clock })
  const listenTo = createEventSource({ fetch, clock })
  const report = unlessOfStore((session: string, error) =>
    log.error({ session, err: error }, 'session failed'),
  )
  const revocation = await startRevocation(built, { clock, pool, outgoing, listenTo, random })
  const noteUnknownMembers = unknownMembersLog(log)
  const parts = { schemes, clock, random, revocation, settings, noteUnknownMembers }
  const effects = createEffects({ ...parts, pool, outgoing, noteHashedValue: hashedValueLog(log) })
  const sessions = createSessions({ store, clock, bootId, effects, report })
  const { isOverloaded } = pool
  const deliveries = createDeliveries({
    ...{ store, clock, bootId },
    post: postCallback({ clock, outgoing, settings }),
    ...deliveryLog(log),
  })
  const deps = { ...parts, sessions, log, isOverloaded }
  const isApart = options.client_port > 0
  const streams = eventStreams(deps)
  const server = createSessionServer(deps, isApart ? 'requestors' : 'everybody', streams)
  const clientServer = isApart ? createSessionServer(deps, 'clients', streams) : null
  const close = async (): Promise<void> => {
    const limit = new Promise<void>(resolve => void clock.setTimeout(resolve, settings.limits.stopMs))
    await Promise.all([server.close(), clientServer?.close()])
    await sessions.finishClaims(limit)
    await sessions.close()
    await deliveries.close()
    await revocation.close()
    await pool.close()
    await store.close()
  }
  const warnings = [...warningsAbout(settings), ...built.revocation.warnings]
  return { server, clientServer, settings, arithmetic: pool.arithmetic, warnings, close }
}

function proofPoolOf(
  { arithmetic, workers, max_queue_time }: OptionValues,
  { primes }: Sources,
  clock: Clock,
): ProofPool {
  return createProofPool({
    ...{ arithmetic, clock, maxWaitMs: durationMs(max_queue_time) },
    ...(workers > 0 && { threads: workers }),
    ...(primes && { primes }),
  })
}

type RevocationParts = Pick<RevocationDeps, 'clock' | 'outgoing' | 'listenTo' | 'random'> & {
  readonly pool: ProofPool
}

/** What it is made of is closed if it does not start. */
async function startRevocation(
  { schemes, store, revocation: { settings }, log }: Parts,
  parts: RevocationParts,
): Promise<Revocation> {
  const report = unlessOfStore((type: string, error) => log.warn({ type, err: error }, 'revocation failed'))
  try {
    return await createRevocation({ ...parts, store, schemes, settings, report })
  } catch (error) {
    await parts.pool.close()
    await store.close()
    throw error
  }
}

/** Builds it and listens; the log begins with one line that says what runs.
 *  @throws as `buildServer`, and when the address is not free */
export async function startServer(
  options: OptionValues,
  log: Logger,
  sources?: Sources,
): Promise<RunningServer> {
  const { server, clientServer, settings, arithmetic, warnings, close } = await buildServer(
    options,
    log,
    sources,
  )
  try {
    const { address, port } = await listen(server, options, '')
    const client = clientServer && (await listen(clientServer, options, 'client_'))
    log.info(
      {
        version: packageVersion(),
        verbosity: settings.verbosity,
        mode: settings.production ? 'production' : 'development',
        profile: settings.profile.name,
        arithmetic,
        address,
        port,
        ...(client && { clientAddress: client.address, clientPort: client.port }),
        url: settings.url,
      },
      'svc server running',
    )
    for (const warning of warnings) log.warn(warning)
    return { port, clientPort: client?.port ?? null, close }
  } catch (error) {
    await close()
    throw error
  }
}
