/** `attribute-session-service/client`: the client of a session server for web sites, in Node and in browsers. @module */

export type { SessionPackage } from '../protocol/session-package.ts'
export type { SessionResult, WireStatus as SessionStatus } from '../protocol/wire/answers.ts'
export type { WireRevocationRequest as RevocationRequest } from '../protocol/wire/revocation.ts'
export type {
  WireDisclosure as DisclosureRequest,
  WireExtended as ExtendedRequest,
  WireIssuance as IssuanceRequest,
  WireLegacyRequest as LegacyRequest,
  WireSessionRequest as SessionRequest,
  WireSignature as SignatureRequest,
} from '../protocol/wire/session-request.ts'
export type { RequestorAuth } from './client/authorization.ts'
export { ServerRefusalError } from './client/calls.ts'
export {
  createFrontend,
  type Frontend,
  type FrontendOptions,
  type FrontendPart,
  type FrontendUpdate,
} from './client/frontend.ts'
export { createRequestor, type Requestor, type RequestorOptions } from './client/requestor.ts'
export { type ServerKey, type VerifyOptions, verifyResult } from './client/verify-result.ts'
export { type FinalStatus, type WaitOptions, WaitTimeoutError } from './client/wait.ts'
