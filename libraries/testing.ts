/** `attribute-session-service/testing`: a session server in the process of the tests, and wallets without a phone. For tests of web sites. @module */
/// <reference types="node" preserve="true" />

export type { PhoneFault } from './testing/faults.ts'
export { startTestKit, type TestKit, type TestKitOptions } from './testing/kit.ts'
export type { TestCredentialTypes } from './testing/test-schemes.ts'
export type {
  AnswerOptions,
  TestAttributes,
  TestCredential,
  TestWallet,
  TestWalletOptions,
} from './testing/test-wallet.ts'
export type { SdJwtBatchView } from './wallet/sd-jwt/batches.ts'
export type { ConsentQuestion, SessionOutcome } from './wallet/session.ts'
export type { CredentialView } from './wallet/wallet.ts'
