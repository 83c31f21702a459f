/** `attribute-session-service/client`: the client of a session server for web sites, in Node and in browsers. @module */

export { type AttributesOf, attributes } from './client/attributes.ts'
export type { RequestorAuth } from './client/authorization.ts'
export { ServerRefusalError } from './client/calls.ts'
export {
  createFrontend,
  type Frontend,
  type FrontendOptions,
  type FrontendPart,
  type FrontendUpdate,
} from './client/frontend.ts'
export type {
  AttributeId,
  AttributeRequest,
  CredentialRequest,
  CredentialTypeId,
  DisclosureRequest,
  ExtendedRequest,
  IssuanceRequest,
  LegacyRequest,
  RevocationRequest,
  SessionRequest,
  SignatureRequest,
} from './client/messages.ts'
export { createRequestor, type Requestor, type RequestorOptions } from './client/requestor.ts'
export type {
  DisclosedAttribute,
  OtherResult,
  ProofStatus,
  SessionPackage,
  SessionPointer,
  SessionResult,
  SessionStatus,
  SessionToken,
  SignedMessage,
  ValidResult,
} from './client/results.ts'
export { type ServerKey, type VerifyOptions, verifyResult } from './client/verify-result.ts'
export { type FinalStatus, type WaitOptions, WaitTimeoutError } from './client/wait.ts'
