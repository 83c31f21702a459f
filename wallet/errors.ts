/** The error of a wallet folder. Its messages name files and reasons, never contents. @module */

export class WalletError extends Error {
  override readonly name = 'WalletError'
}
