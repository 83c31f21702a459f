/** The error of a wallet folder. Its messages name files and reasons, never contents. @module */

export class WalletError extends Error {
  override readonly name = 'WalletError'
}

/** The folder has no wallet: making one helps. */
export class NoWallet extends WalletError {}

/** @param expected with its article
 *  @param error of the file system, of which the message holds the code alone */
export function refusedBySystem(path: string, expected: string, error: unknown): WalletError {
  const got = error instanceof Error && 'code' in error ? String(error.code) : 'another failure'
  return new WalletError(`${path}: expected ${expected}, got ${got}`, { cause: error })
}
