/** A session server of the demo: in memory, in developer mode, for every caller on this computer. @module */
import type { RevocationSettings } from '../actors/revocation/revocation.ts'
import type { Schemes } from '../schemes/types.ts'
import { createNode, type SessionNode } from '../server/create-node.ts'
import { uncheckedSettings } from '../server/settings/server-settings.ts'
import { sessionServer } from '../server/settings/session-server.ts'
import type { World } from '../server/world.ts'
import type { DemoServerOptions } from './demo-server-options.ts'
import { REVOCABLE } from './own-schemes.ts'

/** The settings of the authority, which creates the accumulators and revokes credentials. */
const AUTHORITY: RevocationSettings = {
  isAuthority: true,
  isServer: true,
  hasStream: false,
  serverUrl: null,
  toleranceSec: null,
}

/** @param address address of the server, without a slash at the end */
export function startSessions(
  options: DemoServerOptions & Pick<World, 'inspection'>,
  schemes: Schemes,
  address: string,
): Promise<SessionNode> {
  const { clock, random, log, inspection } = options
  const settings = {
    ...uncheckedSettings(optionsOf(options, address), address), // its revocations are lost when it stops, which is acceptable here
    schemes,
    revocation: new Map([[REVOCABLE, AUTHORITY]]),
  }
  return createNode(settings, { clock, random, log, fetch, inspection })
}

function optionsOf({ hosts = [], arithmetic, threads }: DemoServerOptions, address: string) {
  const values = {
    store: 'memory',
    url: address,
    arithmetic,
    workers: threads,
    revoke_perms: [REVOCABLE],
    host_perms: [new URL(address).host, ...hosts].map(asItIs),
  }
  return sessionServer.resolve({ flags: {}, variables: {}, file: { name: 'demo', values } }).options
}

/** A host pattern that matches only this host. IPv6 addresses contain brackets, which are escaped. */
function asItIs(host: string): string {
  return host.replaceAll(/[[\]]/g, '\\$&')
}
