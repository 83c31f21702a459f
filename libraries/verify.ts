/** `attribute-session-service/verify`: verifies stored attribute-based signatures without a server. It is not for browsers: it needs the schemes and the arithmetic
 *  of Node. @module */
/// <reference types="node" preserve="true" />

export { loadSchemes } from '../schemes/load.ts'
export type { Schemes } from '../schemes/types.ts'
export { type VerifySignatureOptions, verifySignature } from '../server/verify-signature.ts'
export type { DisclosedAttribute } from '../sessions/disclosed.ts'
export type { ProofStatus } from '../sessions/result.ts'
export type { SignatureFacts } from '../sessions/verify-signature.ts'
