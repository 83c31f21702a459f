/** Credentials of the demo schemes, signed here with the issuers' own private keys: what fills a wallet until issuance exists. @module */
import type { Wallet, WalletDeps } from './wallet.ts'

/** Add the demo credentials to an open wallet: identity card, two addresses, student card and more.
 *  @throws {WalletError} if the demo schemes or their private keys are not among the schemes */
export declare function addDemoCredentials(wallet: Wallet, deps: WalletDeps): Promise<void>
