/** Restricts callers to the demo's own page in a browser on this computer. The check of the host stops foreign names that resolve to this address; the check of the
 *  origin stops foreign pages that post here. @module */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Middleware } from 'koa'
import { remoteErrorObject, UnauthorizedError } from '../protocol/errors.ts'
import { writeJson } from '../protocol/json.ts'

const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
]
const HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

/** Methods without effect. */
const SAFE = ['GET', 'HEAD']

/** Other names of the same listener for a browser on this computer. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

export type Sites = {
  /** names of web sites, with their ports */
  readonly hosts: readonly string[]
  /** prefix of the paths that may be called with these names */
  readonly paths: string
}

/** Accepts requests to the host of `address`, and requests of wallet apps and frontends to the names of web sites. Requests for the page by another name of this
 *  computer are redirected to `address`, so that no page has the origin of a web site. All others are refused. */
export function onlyByName(
  address: string,
  handler: RequestListener,
  { hosts, paths }: Sites = { hosts: [], paths: '/' },
): RequestListener {
  const { host } = new URL(address)
  return (req, res) => {
    const asked = req.headers.host ?? ''
    const isSite = hosts.includes(asked)
    if (asked === host || (isSite && req.url?.startsWith(paths))) return handler(req, res)
    if (req.method === 'GET' && req.url === '/' && (isSite || LOOPBACK.test(asked)))
      return res.writeHead(302, { Location: `${address}/` }).end()
    return refuse(req, res, host)
  }
}

function refuse(req: IncomingMessage, res: ServerResponse, host: string): void {
  const error = new UnauthorizedError(`Host: expected ${host}, got another or none`)
  req.resume()
  res.writeHead(error.status, { 'Content-Type': 'application/json; charset=UTF-8' })
  res.end(writeJson(remoteErrorObject(error)))
}

/** Sets headers on every response of the demo, and checks the origin of every call that is not GET or HEAD.
 *  @param hosts names of the web sites, where the page follows their sessions
 *  @param serverCalls prefix of the paths that the session server calls, without an origin; they contain an id that other pages do not know */
export function guard(address: string, hosts: readonly string[], serverCalls: string): Middleware {
  const policy = [...POLICY, `connect-src 'self' ${hosts.map(host => `http://${host}`).join(' ')}`].join('; ')
  return async function guarding(ctx, next) {
    ctx.set({ ...HEADERS, 'Content-Security-Policy': policy })
    const isFromPage = !SAFE.includes(ctx.method) && !ctx.path.startsWith(serverCalls)
    if (isFromPage && ctx.get('Origin') !== address)
      throw new UnauthorizedError(`Origin: expected ${address}, got another or none`)
    await next()
  }
}
