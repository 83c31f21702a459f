/** `attribute-session-service/client` in Node, with the proxies that the environment names. Browsers and bundlers get `client.ts`. @module */

export { attributes } from './client/attributes.ts'
export { ServerRefusalError } from './client/calls.ts'
export {
  createFrontendOnNode as createFrontend,
  createRequestorOnNode as createRequestor,
} from './client/on-node.ts'
export { verifyResult } from './client/verify-result.ts'
export { WaitTimeoutError } from './client/wait.ts'
