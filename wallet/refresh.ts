/** Keeping witnesses up to date without a session (cryptography 14.4, 14.7), so that the next one needs little, and the user learns early what was
 *  revoked. @module */
import { revocationServers } from './revocation-servers.ts'
import type { SessionDeps } from './session.ts'

export type Refreshed = {
  /** how many instances were looked at */
  readonly count: number
  /** ids of those of which nobody had data that are right */
  readonly outdated: ReadonlySet<string>
}

/** Asks for the types of which the wallet has an instance that can be revoked and was not.
 *  @param olderThanSec only types with an instance of which the wallet knows nothing newer; any by default
 *  @throws {Cancelled} */
export async function refreshWitnesses(
  { wallet, fetch, clock, signal }: Omit<SessionDeps, 'randomBytes'> & { readonly signal?: AbortSignal },
  olderThanSec = Number.NEGATIVE_INFINITY,
): Promise<Refreshed> {
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
