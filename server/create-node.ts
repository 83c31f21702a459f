/** Builds a running session server from its settings. Its parts are put together here alone: for the command line, the tour, the benches, every test, and
 *  a keyshare server. The server does not listen yet. @module */
import { createSessions, type SessionsDeps } from '../actors/create-sessions.ts'
import { createDeliveries } from '../actors/deliveries/deliveries.ts'
import { OwedBound } from '../actors/deliveries/owed-bound.ts'
import { postCallback } from '../actors/deliveries/post-callback.ts'
import { createEffects, type EffectDeps } from '../actors/effects/create-effects.ts'
import { createRevocation, type RevocationDeps } from '../actors/revocation/create-revocation.ts'
import type { Revocation } from '../actors/revocation/revocation.ts'
import type { Sessions } from '../actors/sessions.ts'
import { createProofPool, type ProofPool } from '../actors/workers/proof-pool.ts'
import { ShortLists } from '../actors/workers/short-lists.ts'
import { chooseArithmetic } from '../crypto/bignum/choose.ts'
import type { ServerDeps } from '../http/deps.ts'
import { eventStreams } from '../http/event-stream.ts'
import { createReadiness } from '../http/readiness.ts'
import { createSessionServer, type SessionServer } from '../http/server.ts'
import { pause } from '../ports/clock.ts'
import { createEventSource } from '../ports/event-source.ts'
import { guardedFetch } from '../ports/guarded-fetch.ts'
import { hostRule } from '../ports/host-rule.ts'
import { createOutgoing, type Outgoing } from '../ports/outgoing.ts'
import { systemRandomness } from '../ports/randomness.ts'
import { createTraces, type Traces } from '../ports/traces.ts'
import { unknownMembersLog } from '../sessions/unknown-members-log.ts'
import type { SessionServerStore } from '../stores/store.ts'
import type { StoreLostError } from '../stores/store-error.ts'
import { createSharedClock } from '../stores/time/shared-clock.ts'
import { type OnClose, openedOnStore } from './closable.ts'
import { type Certificates, createCertificates } from './files/certificates.ts'
import { defaultStorePath } from './files/directories.ts'
import { watchSdJwtFolders } from './files/sd-jwt-folders.ts'
import { deliveryLog } from './log/delivery-log.ts'
import { firstVersionLog } from './log/first-version-log.ts'
import { hashedValueLog } from './log/hashed-value-log.ts'
import { revocationLog } from './log/revocation-log.ts'
import { sessionLog } from './log/session-log.ts'
import { expiryFigures } from './metrics/expiry-figures.ts'
import { countStored } from './metrics/metrics.ts'
import { type OptionStoreDeps, openSessionOptionStore, unlessOfStore } from './open-option-store.ts'
import { openSchemes, type RunningSchemes } from './schemes/open-schemes.ts'
import type { NodeSettings } from './settings/node-settings.ts'
import { placeOfShortChecks } from './settings/short-checks.ts'
import type { World } from './world.ts'

export type NodeDeps = ServerDeps & { readonly settings: NodeSettings }

/** The parts of sessions, without listeners. */
export type SessionParts = {
  readonly sessions: Sessions
  readonly revocation: Revocation
  readonly pool: ProofPool
  /** the dependencies of the endpoints */
  readonly deps: NodeDeps
  readonly schemes: RunningSchemes
  readonly certificates: Certificates
}

type Parts = Omit<SessionParts, 'pool'> & {
  readonly store: SessionServerStore
  readonly server: SessionServer
  /** the separate listener of wallet apps and frontends; null: they use `server` */
  readonly clientServer: SessionServer | null
  /** name of the arithmetic that checks the proofs */
  readonly arithmetic: string
  /** Reads the certificate and key files of TLS and SD-JWTs now. */
  readonly readAgain: () => void
}

export type SessionNode = Parts & {
  readonly close: () => Promise<void>
}

/** @throws {Error} of the store, the arithmetic or revocation, in words for an operator; nothing is left open then */
export function createNode(settings: NodeSettings, world: World): Promise<SessionNode> {
  return openedOnStore(world.lost, (onClose, lose) => open(settings, world, lose, onClose))
}

/** Closes the parts in reverse order of opening: listeners, sessions, revocation, proofs, deliveries, store. */
async function open(
  settings: NodeSettings,
  world: World,
  lost: (error: StoreLostError) => void,
  onClose: OnClose,
): Promise<Parts> {
  const {
    fetch,
    fetchBy = () => fetch,
    log,
    inspection,
    metrics,
    traces = createTraces(),
    instead = {},
  } = world
  const bootId = instead.bootId ?? systemRandomness.token()
  const store =
    instead.store ?? (await openStore(settings, { bootId, clock: world.clock, log, lost }, onClose))
  const clock = createSharedClock(world.clock, store.nodes)
  const rule = hostRule(settings.outgoingHosts)
  const guarded = rule.isOpen ? fetch : guardedFetch(rule, fetchBy)
  const outgoing = instead.outgoing ?? createOutgoing({ fetch, guarded, clock })
  const post = postCallback({ clock, outgoing, traces, settings })
  const figures = metrics?.actors
  const deliveries = createDeliveries({
    store,
    clock,
    bootId,
    post,
    inspection,
    figures,
    ...deliveryLog(log),
  })
  onClose(() => deliveries.close())
  const ground = { store, bootId, outgoing, traces }
  const { pool, ...parts } = await openSessionParts(settings, { ...world, clock }, ground, onClose)
  const folders = watchSdJwtFolders(settings, parts.schemes.now, { clock, log }, onClose)
  const readAgain = (): void => {
    parts.certificates.readAgain()
    folders.readAgain()
  }
  const servers = openServers(parts, onClose)
  return { ...parts, ...servers, store, arithmetic: pool.arithmetic, readAgain }
}

type SessionGround = Pick<SessionsDeps, 'store' | 'bootId'> & {
  readonly outgoing: Outgoing
  readonly traces: Traces
}

const FASTER_ON_NODE_24 = `this processor has AVX-512 IFMA, and Node ${process.versions.node} makes no use of it: Node 24 or newer needs about half the CPU time for proofs`

/** @throws {Error} of the arithmetic or revocation, in words for an operator */
export async function openSessionParts(
  settings: NodeSettings,
  world: World,
  { store, bootId, outgoing, traces }: SessionGround,
  onClose: OnClose,
): Promise<SessionParts> {
  const { clock, loop, random, log, metrics, instead = {} } = world
  const { tls, clientTls } = settings
  const running = openSchemes(settings.schemes, settings.schemeUpdates ?? null, world, onClose)
  const { now: schemes, asOf: schemesAsOf, lookAgain: lookForSchemes, failing: failingSchemes } = running
  const pool = instead.pool ?? openPool(settings, world, onClose)
  if (pool.isFasterOnNode24) log.warn(FASTER_ON_NODE_24)
  const revocation =
    instead.revocation ??
    (await openRevocation(settings, { ...world, schemes, store, pool, outgoing }, onClose))
  const noteUnknownMembers = unknownMembersLog(log)
  const parts = { schemes, lookForSchemes, clock, random, traces, revocation, settings, noteUnknownMembers }
  const sessions = openSessions({ ...parts, schemesAsOf, store, bootId, pool, outgoing }, world, onClose)
  const readiness = createReadiness({
    clock,
    bootId,
    store,
    hasWorker: pool.hasThread,
    schemes,
    failingSchemes,
  })
  const deps = {
    ...parts,
    loop,
    log,
    figures: metrics?.http,
    isOverloaded: pool.isOverloaded,
    readiness,
    sessions: instead.sessions?.(sessions) ?? sessions,
  }
  const stored = { name: 'svc_sessions_stored', help: 'Sessions in the store, finished ones included' }
  countStored(metrics, stored, store.sessions)
  metrics?.http.watchReadiness(readiness)
  const certificates = createCertificates({ main: tls, client: clientTls }, world, onClose)
  if (metrics) expiryFigures(metrics.meter, () => schemes, certificates.current, settings.sdJwtIssuers)
  return { sessions, revocation, pool, deps, schemes: running, certificates }
}

async function openStore(
  { store: name, redis, revocation, sqliteSynchronous }: NodeSettings,
  deps: OptionStoreDeps,
  onClose: OnClose,
): Promise<SessionServerStore> {
  const isAuthority = [...revocation.values()].some(type => type.isAuthority)
  const option = { name, defaultFile: defaultStorePath, sqliteSynchronous }
  const store = await openSessionOptionStore(option, { redis, isAuthority }, deps)
  onClose(() => store.close())
  return store
}

function openPool(settings: NodeSettings, { clock, metrics, instead }: World, onClose: OnClose): ProofPool {
  const { arithmetic, threads, shortChecks, sparePrimes, maxQueueMs: maxWaitMs } = settings
  const pool = createProofPool({
    arithmetic,
    clock,
    maxWaitMs,
    sparePrimes,
    figures: metrics?.actors.arithmetic,
    ...(threads !== null && { threads }),
    ...(placeOfShortChecks(shortChecks) === 'here' && {
      shortLists: new ShortLists(chooseArithmetic(arithmetic)),
    }),
    ...(instead?.primes && { primes: instead.primes }),
  })
  onClose(() => pool.close())
  return pool
}

type RevocationParts = World &
  Pick<RevocationDeps, 'schemes' | 'pool' | 'outgoing'> &
  Pick<SessionsDeps, 'store'>

async function openRevocation(
  { revocation: settings }: NodeSettings,
  { store, schemes, clock, random, fetch, log, pool, outgoing }: RevocationParts,
  onClose: OnClose,
): Promise<Revocation> {
  const revocation = await createRevocation({
    store,
    schemes,
    clock,
    random,
    pool,
    outgoing,
    settings,
    listenTo: createEventSource({ fetch, clock }),
    ...revocationLog(log),
  })
  onClose(() => revocation.close())
  return revocation
}

type ForSessions = Omit<EffectDeps, 'noteHashedValue' | 'noteFirstVersion' | 'owedBound'> & {
  readonly settings: NodeSettings
} & Pick<SessionsDeps, 'store' | 'clock' | 'bootId'>

function openSessions(
  parts: ForSessions,
  { log, inspection, metrics, instead = {} }: World,
  onClose: OnClose,
): Sessions {
  const { store, clock, bootId } = parts
  const owedBound = new OwedBound({
    deliveries: store.deliveries,
    clock,
    max: parts.settings.maxOwedCallbacks,
  })
  const notes = { noteHashedValue: hashedValueLog(log), noteFirstVersion: firstVersionLog(log, clock) }
  const effectDeps = { ...parts, ...notes, owedBound }
  const sessions = createSessions({
    store,
    clock,
    bootId,
    owedBound,
    inspection,
    figures: metrics?.actors,
    noteStatus: sessionLog(log),
    effects: { ...createEffects(effectDeps), ...instead.effects?.(effectDeps) },
    report: unlessOfStore((session: string, error) => log.error({ session, err: error }, 'session failed')),
    ...(instead.chart && { chart: instead.chart }),
    ...(instead.sessionLimits && { limits: instead.sessionLimits }),
  })
  onClose(() => sessions.close())
  return sessions
}

function openServers(
  { deps, sessions, certificates }: Pick<SessionParts, 'deps' | 'sessions' | 'certificates'>,
  onClose: OnClose,
) {
  const isApart = deps.settings.clientPort > 0
  const streams = eventStreams(deps)
  const server = createSessionServer(deps, isApart ? 'requestors' : 'everybody', streams)
  const clientServer = isApart ? createSessionServer(deps, 'clients', streams) : null
  certificates.serve('main', server)
  if (clientServer) certificates.serve('client', clientServer)
  onClose(() => closeServers(clientServer === null ? [server] : [server, clientServer], sessions, deps))
  return { server, clientServer }
}

/** The node serves as before for `stop_delay`, so that load balancers notice. A node that does not listen, because its start has failed, skips this delay. Running
 *  requests, and then the work on submissions, may then continue for `stop_timeout` in all. */
export async function closeServers(
  servers: readonly Pick<SessionServer, 'drain' | 'close'>[],
  sessions: Pick<Sessions, 'finishClaims'>,
  { clock, settings, readiness }: Pick<NodeDeps, 'clock' | 'settings' | 'readiness'>,
): Promise<void> {
  const { stopDelayMs } = settings.limits
  readiness.stop()
  const called = servers.filter(server => server.drain())
  if (stopDelayMs > 0 && called.length > 0) await pause(clock, stopDelayMs)
  const ended = new AbortController()
  const limit = pause(clock, settings.limits.stopMs, ended.signal)
  await Promise.all(servers.map(server => server.close()))
  await sessions.finishClaims(limit)
  ended.abort() // clears the timer of `limit`
}
