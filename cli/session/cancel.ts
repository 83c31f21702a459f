/** Cancels a session from the terminal (spec/interface#4.2: DELETE by a frontend). @module */
import { call } from './http.ts'
import type { SessionPackage } from './package.ts'

export async function cancelSession({ sessionPtr }: SessionPackage): Promise<void> {
  await call('cancelling', sessionPtr.u, { method: 'DELETE' })
}

/** Cancels the session at Ctrl-C, because its result would not be read. The process then exits with code 1, even if the server refuses.
 *  @param current returns the current session
 *  @returns function that removes the listeners */
export function cancelOnSignal(current: () => SessionPackage): () => void {
  const leave = (): never => process.exit(1)
  const stop = (): void => void cancelSession(current()).then(leave, leave)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return () => process.off('SIGINT', stop).off('SIGTERM', stop)
}
