/** Updates witnesses outside a session (spec/cryptography#14.4, #14.7). The next session then needs fewer events, and the user learns early about revoked credentials.
 *  @module */
import { revocationServers } from './revocation-servers.ts'
import type { SessionDeps } from './session.ts'

export type RefreshResult = {
  /** number of instances to update */
  readonly count: number
  /** ids of instances for which no server returned valid data */
  readonly outdated: ReadonlySet<string>
}

/** Updates the types of which the wallet has a revocable, unrevoked instance.
 *  @param olderThanSec skips types whose instances were all updated within this number of seconds; left out: skips none
 *  @throws {CancelledError} */
export async function refreshWitnesses(
  { wallet, fetch, clock, signal }: Omit<SessionDeps, 'randomBytes'> & { readonly signal?: AbortSignal },
  olderThanSec = Number.NEGATIVE_INFINITY,
): Promise<RefreshResult> {
  const until = clock.wallNow() / 1000 - olderThanSec
  const old = wallet
    .credentials()
    .filter(({ revocation }) => revocation && !revocation.isRevoked && revocation.asOfSec <= until)
  if (old.length === 0) return { count: 0, outdated: new Set() }
  const types = new Set(old.map(({ type }) => type))
  using servers = revocationServers({ fetch, clock, signal, developerMode: wallet.developerMode })
  const outdated = await wallet.updateWitnesses(
    async (type, counter) => (types.has(type.id) ? servers.latest(type, counter) : null),
    servers.events,
  )
  return { count: old.length, outdated }
}
