/** The error of a wallet folder. Messages contain file names and reasons, never contents. @module */

export class WalletError extends Error {
  override readonly name = 'WalletError'
}

/** The folder has no wallet. The user can create one. */
export class NoWalletError extends WalletError {}

/** @param expected text with its article
 *  @param error of the file system; the message contains only its code */
export function refusedBySystem(path: string, expected: string, error: unknown): WalletError {
  const got = error instanceof Error && 'code' in error ? String(error.code) : 'another failure'
  return new WalletError(`${path}: expected ${expected}, got ${got}`, { cause: error })
}
