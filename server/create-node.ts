/** Builds a running session server from its settings: the one place where its parts are put together, for the command line, the tour, the benches and
 *  every test. It listens to nothing yet. @module */
import { createSessions, type SessionsDeps } from '../actors/create-sessions.ts'
import { createDeliveries } from '../actors/deliveries/deliveries.ts'
import { postCallback } from '../actors/deliveries/post-callback.ts'
import { createEffects, type EffectDeps } from '../actors/effects/create-effects.ts'
import { createRevocation, type RevocationDeps } from '../actors/revocation/create-revocation.ts'
import type { Revocation } from '../actors/revocation/revocation.ts'
import type { Sessions } from '../actors/sessions.ts'
import { createProofPool, type ProofPool } from '../actors/workers/proof-pool.ts'
import type { ServerDeps } from '../http/deps.ts'
import { eventStreams } from '../http/event-stream.ts'
import { createSessionServer, type SessionServer } from '../http/server.ts'
import { pause } from '../ports/clock.ts'
import { createEventSource } from '../ports/event-source.ts'
import { createOutgoing } from '../ports/outgoing.ts'
import { systemRandomness } from '../ports/randomness.ts'
import { unknownMembersLog } from '../sessions/unknown-members-log.ts'
import type { Store } from '../stores/store.ts'
import type { StoreLost } from '../stores/store-failure.ts'
import { deliveryLog } from './log/delivery-log.ts'
import { hashedValueLog } from './log/hashed-value-log.ts'
import { type OptionStoreDeps, openOptionStore, unlessOfStore } from './open-option-store.ts'
import { type OnClose, opened } from './opened.ts'
import type { NodeSettings } from './settings/node-settings.ts'
import type { World } from './world.ts'

type NodeDeps = ServerDeps & { readonly settings: NodeSettings }

type Parts = {
  readonly store: Store
  readonly sessions: Sessions
  readonly revocation: Revocation
  /** what the endpoints are given */
  readonly deps: NodeDeps
  readonly server: SessionServer
  /** the listener of clients, where they have one of their own */
  readonly clientServer: SessionServer | null
  /** name of the arithmetic that checks the proofs */
  readonly arithmetic: string
}

export type SessionNode = Parts & {
  readonly close: () => Promise<void>
}

/** @throws {Error} of the store, the arithmetic or revocation, in words for an operator; nothing is left open then */
export async function createNode(settings: NodeSettings, world: World): Promise<SessionNode> {
  let lose: (error: StoreLost) => void = world.lost ?? (() => {})
  const { whole, close } = await opened(onClose => open(settings, world, error => lose(error), onClose))
  lose = world.lost ?? (() => void close())
  return { ...whole, close }
}

/** What is opened last is closed first: listeners, sessions, deliveries, revocation, proofs, store. */
async function open(
  settings: NodeSettings,
  world: World,
  lost: (error: StoreLost) => void,
  onClose: OnClose,
): Promise<Parts> {
  const { clock, random, fetch, log, instead = {} } = world
  const { schemes } = settings
  const bootId = systemRandomness.token()
  const store = instead.store ?? (await openStore(settings, { bootId, clock, log, lost }, onClose))
  const pool = instead.pool ?? openPool(settings, world, onClose)
  const outgoing = instead.outgoing ?? createOutgoing({ fetch, clock })
  const revocation =
    instead.revocation ?? (await openRevocation(settings, { ...world, store, pool, outgoing }, onClose))
  const post = postCallback({ clock, outgoing, settings })
  const deliveries = createDeliveries({ store, clock, bootId, post, ...deliveryLog(log) })
  onClose(() => deliveries.close())
  const noteUnknownMembers = unknownMembersLog(log)
  const parts = { schemes, clock, random, revocation, settings, noteUnknownMembers }
  const sessions = openSessions({ ...parts, store, bootId, pool, outgoing }, world, onClose)
  const deps = {
    ...{ ...parts, log, isOverloaded: pool.isOverloaded },
    sessions: instead.sessions?.(sessions) ?? sessions,
  }
  const servers = openServers(deps, sessions, onClose)
  return { ...{ store, sessions, revocation, deps, arithmetic: pool.arithmetic }, ...servers }
}

async function openStore(
  { store: name }: NodeSettings,
  deps: OptionStoreDeps,
  onClose: OnClose,
): Promise<Store> {
  const store = await openOptionStore(name, deps)
  onClose(() => store.close())
  return store
}

function openPool(settings: NodeSettings, { clock, instead }: World, onClose: OnClose): ProofPool {
  const { arithmetic, threads, maxQueueMs: maxWaitMs } = settings
  const pool = createProofPool({
    ...{ arithmetic, clock, maxWaitMs },
    ...(threads !== null && { threads }),
    ...(instead?.primes && { primes: instead.primes }),
  })
  onClose(() => pool.close())
  return pool
}

type RevocationParts = World & Pick<RevocationDeps, 'pool' | 'outgoing'> & Pick<SessionsDeps, 'store'>

async function openRevocation(
  { schemes, revocation: settings }: NodeSettings,
  { store, clock, random, fetch, log, pool, outgoing }: RevocationParts,
  onClose: OnClose,
): Promise<Revocation> {
  const revocation = await createRevocation({
    ...{ store, schemes, clock, random, pool, outgoing, settings },
    listenTo: createEventSource({ fetch, clock }),
    report: unlessOfStore((type: string, error) => log.warn({ type, err: error }, 'revocation failed')),
  })
  onClose(() => revocation.close())
  return revocation
}

type SessionParts = Omit<EffectDeps, 'noteHashedValue'> & Pick<SessionsDeps, 'store' | 'clock' | 'bootId'>

function openSessions(parts: SessionParts, { log, instead = {} }: World, onClose: OnClose): Sessions {
  const { store, clock, bootId } = parts
  const effectDeps = { ...parts, noteHashedValue: hashedValueLog(log) }
  const sessions = createSessions({
    ...{ store, clock, bootId },
    effects: { ...createEffects(effectDeps), ...instead.effects?.(effectDeps) },
    report: unlessOfStore((session: string, error) => log.error({ session, err: error }, 'session failed')),
    ...(instead.chart && { chart: instead.chart }),
    ...(instead.sessionLimits && { limits: instead.sessionLimits }),
  })
  onClose(() => sessions.close())
  return sessions
}

/** Running requests, and then the work on submissions, may go on together for `stop_timeout`. */
function openServers(deps: NodeDeps, sessions: Sessions, onClose: OnClose) {
  const { clock, settings } = deps
  const isApart = settings.clientPort > 0
  const streams = eventStreams(deps)
  const server = createSessionServer(deps, isApart ? 'requestors' : 'everybody', streams)
  const clientServer = isApart ? createSessionServer(deps, 'clients', streams) : null
  onClose(async () => {
    const ended = new AbortController()
    const limit = pause(clock, settings.limits.stopMs, ended.signal)
    await Promise.all([server.close(), clientServer?.close()])
    await sessions.finishClaims(limit)
    ended.abort() // no timer stays
  })
  return { server, clientServer }
}
