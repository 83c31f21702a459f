/** `attribute-session-service/verify`: checks attribute-based signatures that were kept, without a server. It needs the schemes and the arithmetic of Node, and
 *  is therefore not for browsers. @module */
/// <reference types="node" preserve="true" />

export { loadSchemes } from './schemes/load.ts'
export type { Schemes } from './schemes/types.ts'
export { type VerifySignatureOptions, verifySignature } from './server/verify-signature.ts'
export type { DisclosedAttribute } from './sessions/disclosed.ts'
export type { ProofStatus } from './sessions/result.ts'
export type { SignatureFacts } from './sessions/verify-signature.ts'
