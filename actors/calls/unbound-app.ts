/** An unbound app after pairing (spec/decisions#d27): it sent no `Authorization` with its first GET (spec/decisions#d15), so it cannot be distinguished from another
 *  client that knows the address. The code and the session request are the secret that pairing protects. They go to the first client that asks, and to no other. @module */
import type { SessionRow } from '../../stores/session-store.ts'

/** True if this session serves its secrets to one client only. While the session is open, these are only the code and the request. */
export function isUnboundAfterPairing({ status, pairingCode, clientAuthorization }: SessionRow): boolean {
  const isConnected = status === 'PAIRING' || status === 'CONNECTED'
  return isConnected && pairingCode !== null && clientAuthorization === null
}
