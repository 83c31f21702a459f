/** A server that follows the revocation of another server: of an authority, or of a server with any answers. The clock moves only in tests. @module */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RevocationSettings } from '../../actors/revocation/revocation.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { issuerOf } from '../../protocol/ids.ts'
import { BADGE, NOW_SEC, there } from '../actors/authority.ts'
import { type RevocationServer, schemes, startRevocationServer } from './revocation-server.ts'

/** The key of the badge's issuer. */
export const key = there(schemes.publicKey(issuerOf(BADGE), 0))

export function following(serverUrl: string, changes: Partial<RevocationSettings> = {}): RevocationSettings {
  return { isAuthority: false, isServer: true, serverUrl, toleranceSec: null, hasStream: false, ...changes }
}

type Pair = { readonly authority: RevocationServer; readonly follower: RevocationServer }

export async function withPair(
  use: (pair: Pair) => Promise<void>,
  changes?: Partial<RevocationSettings>,
): Promise<void> {
  const clock = createSimulatedClock(NOW_SEC * 1_000)
  const authority = await startRevocationServer({ clock })
  const settings = [[BADGE, following(authority.url, changes)]] as const
  const follower = await startRevocationServer({ clock, settings })
  try {
    await use({ authority, follower })
  } finally {
    await follower.close()
    await authority.close()
  }
}

export async function latest({ revocation }: RevocationServer): Promise<RevocationUpdate> {
  return there((await revocation.updates(BADGE, 0)).get(0))
}

/** A server that answers every call with these bytes; null: it does not answer. */
export async function withOther(
  bytes: () => Uint8Array | null,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((_, response) => {
    const body = bytes()
    if (body) response.setHeader('Content-Type', 'text/event-stream').end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  try {
    await use(`http://127.0.0.1:${port}/svc`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
