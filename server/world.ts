/** The world outside of a server, as arguments: the ports, and in tests the replacements of parts that the settings would make. @module */
import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { SessionLimits } from '../actors/create-sessions.ts'
import type { EffectDeps } from '../actors/effects/create-effects.ts'
import type { Effects } from '../actors/effects/effects.ts'
import type { Inspection } from '../actors/inspection/inspection.ts'
import type { Revocation } from '../actors/revocation/revocation.ts'
import type { Sessions } from '../actors/sessions.ts'
import type { PrimeSupply } from '../actors/workers/primes.ts'
import type { ProofPool } from '../actors/workers/proof-pool.ts'
import type { SessionChart } from '../machines/session.ts'
import { type Clock, createSystemClock } from '../ports/clock.ts'
import { environmentFetch } from '../ports/environment-fetch.ts'
import type { Fetch } from '../ports/fetch.ts'
import { type LoopWatch, watchLoop } from '../ports/loop-watch.ts'
import type { MailPort } from '../ports/mail.ts'
import type { DomainCheck } from '../ports/mail-domain.ts'
import type { Outgoing } from '../ports/outgoing.ts'
import { type AccountRandomness, type Randomness, systemRandomness } from '../ports/randomness.ts'
import type { Traces } from '../ports/traces.ts'
import type { SessionServerStore, Store } from '../stores/store.ts'
import type { StoreLostError } from '../stores/store-error.ts'
import type { Metrics } from './metrics/metrics.ts'

export type World = {
  readonly clock: Clock
  /** measures how late the event loop is; left out: it is never late */
  readonly loop?: LoopWatch | undefined
  readonly random: Randomness
  readonly fetch: Fetch
  /** returns `fetch` with names resolved by this function; left out: `fetch`, which then resolves no name on this machine */
  readonly fetchBy?: (lookup: LookupFunction) => Fetch
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'> & Partial<Pick<Logger, 'debug'>>
  /** called if another process takes over the store, so that this server can do no more work; left out: the server closes */
  readonly lost?: (error: StoreLostError) => void
  /** the observer of the actors of this node; left out: none */
  readonly inspection?: Inspection | undefined
  /** the ids of traces; left out: random ones */
  readonly traces?: Traces
  /** the counters; left out: nothing is counted */
  readonly metrics?: Metrics | undefined
  readonly instead?: PartOverrides
}

/** Parts that replace those of the settings. The caller that made a part closes it. */
export type PartOverrides = {
  /** replaces the random name of this process, so that everything derived from the name is the same in each run */
  readonly bootId?: string
  readonly store?: SessionServerStore
  readonly pool?: ProofPool
  /** replaces the prime pool of the settings */
  readonly primes?: PrimeSupply
  readonly outgoing?: Outgoing
  readonly mail?: MailPort
  readonly takesMail?: DomainCheck
  readonly revocation?: Revocation
  /** @returns the effects that replace the real ones */
  readonly effects?: (parts: EffectDeps) => Partial<Effects>
  readonly chart?: SessionChart
  readonly sessionLimits?: Partial<SessionLimits>
  /** @returns the sessions that the endpoints use in place of the real ones */
  readonly sessions?: (sessions: Sessions) => Sessions
}

/** The world of a keyshare server: its store holds accounts. */
export type KeyshareWorld = Omit<World, 'random' | 'instead'> & {
  readonly random: AccountRandomness
  readonly instead?: Omit<PartOverrides, 'store'> & { readonly store?: Store }
}

/** A process has one event loop, however many servers it starts. */
let systemLoop: LoopWatch | null = null

/** The real world: the clock, the randomness and the network of this machine.
 *  @throws {ProxyError} */
export function systemWorld(log: World['log']): KeyshareWorld {
  const [clock, fetch] = [createSystemClock(), environmentFetch(process.env)]
  systemLoop ??= watchLoop(clock)
  const fetchBy: World['fetchBy'] = lookup => environmentFetch(process.env, lookup)
  return { clock, loop: systemLoop, random: systemRandomness, fetch, fetchBy, log }
}
