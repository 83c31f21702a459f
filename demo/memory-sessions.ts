/** A session server of the demo: in memory, in developer mode, for anybody on this computer. @module */
import type { Logger } from 'pino'
import { createSessions } from '../actors/create-sessions.ts'
import { createDeliveries } from '../actors/deliveries/deliveries.ts'
import { postCallback } from '../actors/deliveries/post-callback.ts'
import { createEffects } from '../actors/effects/create-effects.ts'
import { createRevocation } from '../actors/revocation/create-revocation.ts'
import type { RevocationSettings } from '../actors/revocation/revocation.ts'
import { createProofPool } from '../actors/workers/proof-pool.ts'
import type { ServerDeps } from '../http/deps.ts'
import { serverSettings } from '../http/settings.ts'
import type { Clock } from '../ports/clock.ts'
import { createEventSource } from '../ports/event-source.ts'
import { createOutgoing } from '../ports/outgoing.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { Schemes } from '../schemes/types.ts'
import { unknownMembersLog } from '../sessions/unknown-members-log.ts'
import { createMemoryStore } from '../stores/memory/store.ts'
import type { OnEnd } from './options.ts'
import { REVOCABLE } from './own-schemes.ts'

/** It makes the accumulators, and revokes. */
const AUTHORITY: RevocationSettings = {
  ...{ isAuthority: true, isServer: true, hasStream: false },
  ...{ serverUrl: null, toleranceSec: null },
}

export type MemoryOptions = {
  readonly clock: Clock
  readonly random: Randomness
  readonly log: Logger
  /** names of requestors, with their ports, that requests may give besides the address of the server */
  readonly hosts?: readonly string[]
  readonly arithmetic?: 'auto' | 'openssl' | 'bigint'
  /** for the work on proofs; as many as the processor has, unless said */
  readonly threads?: number
}

/** @param address where it is reached, without a slash at the end */
export async function startSessions(
  { clock, random, log, hosts = [], arithmetic = 'auto', threads }: MemoryOptions,
  schemes: Schemes,
  address: string,
  onEnd: OnEnd,
): Promise<ServerDeps> {
  const bootId = random.token()
  const pool = createProofPool({ arithmetic, ...(threads !== undefined && { threads }) })
  onEnd(() => pool.close())
  const hostPerms = [new URL(address).host, ...hosts].map(asItIs)
  const settings = serverSettings({ url: address, permissions: { revokePerms: [REVOCABLE], hostPerms } })
  const outgoing = createOutgoing({ fetch, clock })
  const report = (session: string, error: unknown): void =>
    log.error({ session, err: error }, 'session failed')
  const store = createMemoryStore()
  const revocation = await createRevocation({
    ...{ store, schemes, clock, random, pool, outgoing, report },
    listenTo: createEventSource({ fetch, clock }),
    settings: new Map([[REVOCABLE, AUTHORITY]]),
  })
  onEnd(() => revocation.close())
  const parts = { schemes, clock, random, revocation, settings, noteUnknownMembers: unknownMembersLog(log) }
  const effects = createEffects({
    ...{ ...parts, pool, outgoing },
    noteHashedValue: () => {}, // no site of the tour issues a long value
  })
  const sessions = createSessions({ store, clock, bootId, effects, report })
  onEnd(() => sessions.close())
  const post = postCallback({ clock, outgoing, settings })
  const deliveries = createDeliveries({ store, clock, bootId, post, tell: () => {}, report })
  onEnd(() => deliveries.close())
  return { ...parts, sessions, log, isOverloaded: pool.isOverloaded }
}

/** A pattern of hosts that matches this one only: the address of a version 6 host has brackets. */
function asItIs(host: string): string {
  return host.replaceAll(/[[\]]/g, '\\$&')
}
