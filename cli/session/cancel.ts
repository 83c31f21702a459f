/** Ending a session from the terminal (spec 4.2: DELETE by a frontend). @module */
import { call } from './http.ts'
import type { SessionPackage } from './package.ts'

export async function cancelSession({ sessionPtr }: SessionPackage): Promise<void> {
  await call('cancelling', sessionPtr.u, { method: 'DELETE' })
}

/** Ctrl-C ends the session too, so that no app answers what nobody reads. The process then leaves with code 1, whatever the server said.
 *  @param current the session that goes on then
 *  @returns stop listening */
export function cancelOnSignal(current: () => SessionPackage): () => void {
  const leave = (): never => process.exit(1)
  const stop = (): void => void cancelSession(current()).then(leave, leave)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return () => process.off('SIGINT', stop).off('SIGTERM', stop)
}
