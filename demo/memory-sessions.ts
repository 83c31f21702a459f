/** A session server of the demo: in memory, in developer mode, for anybody on this computer. @module */
import type { RevocationSettings } from '../actors/revocation/revocation.ts'
import type { Schemes } from '../schemes/types.ts'
import { createNode, type SessionNode } from '../server/create-node.ts'
import { uncheckedSettings } from '../server/settings/server-settings.ts'
import { sessionServer } from '../server/settings/session-server.ts'
import type { World } from '../server/world.ts'
import type { MemoryOptions } from './memory-options.ts'
import { REVOCABLE } from './own-schemes.ts'

/** The settings of the authority, which makes the accumulators, and revokes. */
const AUTHORITY: RevocationSettings = {
  ...{ isAuthority: true, isServer: true, hasStream: false },
  ...{ serverUrl: null, toleranceSec: null },
}

/** @param address where it is reached, without a slash at the end */
export function startSessions(
  options: MemoryOptions & Pick<World, 'inspection'>,
  schemes: Schemes,
  address: string,
): Promise<SessionNode> {
  const { clock, random, log, inspection } = options
  const settings = {
    ...uncheckedSettings(optionsOf(options, address), address), // what it revokes may be forgotten with it
    schemes,
    revocation: new Map([[REVOCABLE, AUTHORITY]]),
  }
  return createNode(settings, { clock, random, log, fetch, inspection })
}

function optionsOf({ hosts = [], arithmetic, threads }: MemoryOptions, address: string) {
  const values = {
    ...{ store: 'memory', url: address, arithmetic, workers: threads },
    revoke_perms: [REVOCABLE],
    host_perms: [new URL(address).host, ...hosts].map(asItIs),
  }
  return sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'demo', values } }).options
}

/** A pattern of hosts that matches this one only: the address of a version 6 host has brackets. */
function asItIs(host: string): string {
  return host.replaceAll(/[[\]]/g, '\\$&')
}
