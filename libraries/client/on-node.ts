/** The client in Node. It uses the proxies that the environment names. @module */
import { systemFetch } from '../../ports/environment-fetch.ts'
import { createFrontend, type Frontend, type FrontendOptions, type FrontendPart } from './frontend.ts'
import { createRequestor, type Requestor, type RequestorOptions } from './requestor.ts'

/** @throws {ProxyError} at the first call, if a variable does not hold the address of a proxy
 *  @example
 *  const requestor = createRequestor({ url: 'https://id.example', auth: { method: 'token', token } }) */
export function createRequestorOnNode(options: RequestorOptions): Requestor {
  return createRequestor({ fetch: systemFetch, ...options })
}

/** @throws {ProxyError} at the first call, if a variable does not hold the address of a proxy
 *  @example
 *  const { sessionPtr, frontendRequest } = await requestor.start(request)
 *  const frontend = createFrontend({ sessionPtr, frontendRequest }) */
export function createFrontendOnNode(part: FrontendPart, options: FrontendOptions = {}): Frontend {
  return createFrontend(part, { fetch: systemFetch, ...options })
}
