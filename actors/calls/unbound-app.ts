/** An app that nothing binds after pairing (D27): it sent no `Authorization` with its first GET (D15), so that nobody can tell it from somebody else who
 *  knows the address. The code and the session request are the secret that pairing protects: they go to the first who asks, and to nobody after. @module */
import type { SessionRow } from '../../stores/session-store.ts'

/** Whether what this session hands out goes to one caller. While it is open it has handed out nothing but the code and the request. */
export function isUnboundAfterPairing({ status, pairingCode, clientAuthorization }: SessionRow): boolean {
  const isConnected = status === 'PAIRING' || status === 'CONNECTED'
  return isConnected && pairingCode !== null && clientAuthorization === null
}
