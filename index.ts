/** What other programs may import: a session server, and a wallet. Everything else is inside. @module */

export type { Arithmetic } from './crypto/bignum/arithmetic.ts'
export { chooseArithmetic } from './crypto/bignum/choose.ts'
export { type DemoCredential, obtainCredentials } from './demo/obtain-credentials.ts'
export { loadSchemes } from './schemes/load.ts'
export type { Schemes } from './schemes/types.ts'
export { startSessionServer } from './server/embedded.ts'
export type { SessionServerOptions } from './server/settings/of-program.ts'
export type { RunningServer } from './server/start.ts'
export {
  answerSession,
  type Consent,
  type ConsentQuestion,
  type SessionDeps,
  type SessionHandlers,
  type SessionOutcome,
} from './wallet/session.ts'
export { createWallet, openWallet, type Wallet, type WalletDeps } from './wallet/wallet.ts'
