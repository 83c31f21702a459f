/** The public API: a session server, a keyshare server, and a wallet. Everything else is internal. @module */

export type { Arithmetic } from '../crypto/bignum/arithmetic.ts'
export { chooseArithmetic } from '../crypto/bignum/choose.ts'
export { type DemoCredential, type ObtainDeps, obtainCredentials } from '../demo/obtain-credentials.ts'
export { type Clock, createSystemClock } from '../ports/clock.ts'
export { environmentFetch } from '../ports/environment-fetch.ts'
export { type Randomness, systemRandomness } from '../ports/randomness.ts'
export { parseSchemeId, type SchemeId } from '../protocol/ids.ts'
export { loadSchemes } from '../schemes/load.ts'
export type { Schemes } from '../schemes/types.ts'
export { createSessionHandler, type EmbeddedServer, startSessionServer } from '../server/embedded.ts'
export { startKeyshareInProgram as startKeyshareServer } from '../server/keyshare/embedded.ts'
export type { RunningKeyshareServer, RunningServer } from '../server/running-server.ts'
export type { KeyshareServerOptions, SessionServerOptions } from '../server/settings/of-program.ts'
export { changePin, type PinChange } from './wallet/keyshare/change-pin.ts'
export type { AskPin, PinQuestion } from './wallet/keyshare/login.ts'
export { type Registration, register } from './wallet/keyshare/register.ts'
export { unlock } from './wallet/keyshare/unlock.ts'
export {
  answerSession,
  type Consent,
  type ConsentQuestion,
  type SessionDeps,
  type SessionHandlers,
  type SessionOutcome,
} from './wallet/session.ts'
export { createWallet, openWallet, type Wallet, type WalletDeps } from './wallet/wallet.ts'
