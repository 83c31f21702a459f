/** The client in Node. It uses the proxies that the environment names. @module */
import { systemFetch } from '../../ports/environment-fetch.ts'
import { createFrontend, type Frontend, type FrontendOptions, type FrontendPart } from './frontend.ts'
import { createRequestor, type Requestor, type RequestorOptions } from './requestor.ts'

export function createRequestorOnNode(options: RequestorOptions): Requestor {
  return createRequestor({ fetch: systemFetch, ...options })
}

export function createFrontendOnNode(part: FrontendPart, options: FrontendOptions = {}): Frontend {
  return createFrontend(part, { fetch: systemFetch, ...options })
}
