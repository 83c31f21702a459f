/** Who may call: a browser on this computer that shows the demo's own page. The host stands against a foreign name that is made to point
 *  here, the origin against a foreign page that posts here. @module */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Middleware } from 'koa'
import { remoteErrorObject, Unauthorized } from '../protocol/errors.ts'
import { writeJson } from '../protocol/json.ts'

const POLICY = [
  ...["default-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["object-src 'none'", "require-trusted-types-for 'script'"],
]
const HEADERS: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

/** The methods that change nothing. */
const SAFE = ['GET', 'HEAD']

/** The other names by which a browser on this computer reaches the same listener. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

export type Sites = {
  /** the names of web sites, with their ports */
  readonly hosts: readonly string[]
  /** start of the paths that may be called by these names */
  readonly paths: string
}

/** Answer to the name of `address`, and to the names of web sites where wallet apps and frontends call. The page by another name of this computer
 *  goes to `address`, so that no page ever has the origin of a web site; anything else is refused. */
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
  const error = new Unauthorized(`Host: expected ${host}, got another or none`)
  req.resume()
  res.writeHead(error.status, { 'Content-Type': 'application/json; charset=UTF-8' })
  res.end(writeJson(remoteErrorObject(error)))
}

/** Headers on every answer of the demo, and the origin on every call that changes something.
 *  @param hosts names of the web sites, where the page follows their sessions
 *  @param serverCalls start of the paths that the session server calls, which has no origin: they hold an id that no other page knows */
export function guard(address: string, hosts: readonly string[], serverCalls: string): Middleware {
  const policy = [...POLICY, `connect-src 'self' ${hosts.map(host => `http://${host}`).join(' ')}`].join('; ')
  return async function guarding(ctx, next) {
    ctx.set({ ...HEADERS, 'Content-Security-Policy': policy })
    const isFromPage = !SAFE.includes(ctx.method) && !ctx.path.startsWith(serverCalls)
    if (isFromPage && ctx.get('Origin') !== address)
      throw new Unauthorized(`Origin: expected ${address}, got another or none`)
    await next()
  }
}
