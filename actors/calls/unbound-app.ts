/** An unbound app after pairing (spec/decisions#d27): it sent no `Authorization` with its first GET (spec/decisions#d15), so it cannot be distinguished from another
 *  client that knows the address. The code and the session request are the secret that pairing protects. They go to the first client that asks, and to no other. @module */
import type { SessionRow } from '../../stores/session-store.ts'

/** True if only one client may get the secrets of this session. False after the end of the session. */
export function isUnboundAfterPairing({ status, pairingCode, clientAuthorization }: SessionRow): boolean {
  const isConnected = status === 'PAIRING' || status === 'CONNECTED'
  return isConnected && pairingCode !== null && clientAuthorization === null
}
