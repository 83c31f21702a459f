/** The errors of a wallet folder. Messages name files and reasons, never contents. @module */

export class WalletError extends Error {
  override readonly name = 'WalletError'
}
