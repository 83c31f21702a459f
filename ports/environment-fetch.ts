/** `fetch` through the proxies of the environment: `HTTPS_PROXY` for https, `HTTP_PROXY` for http; hosts in `NO_PROXY` are called directly. This
 *  machine is always called directly. Without these variables it is the `fetch` of Node, and no library is loaded. @module */

import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import type { Fetch } from './fetch.ts'
import { noProxyRule } from './no-proxy.ts'
import { parseUrl } from './parse-url.ts'

/** Variables of a process; a name in lower case has precedence over one in upper case. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A proxy setting that cannot be used. The text does not quote it, because it may hold a password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
}

type Proxies = {
  /** address of the proxy for http addresses; empty: none */
  readonly http: string
  readonly https: string
  readonly noProxy: string
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])\.?$/

/** @param lookup resolves the names of direct calls; left out: as Node does
 *  @throws {ProxyError} if a proxy does not have an http or https address */
export function environmentFetch(environment: Environment, lookup?: LookupFunction): Fetch {
  const proxies = {
    http: addressIn(environment, 'HTTP_PROXY'),
    https: addressIn(environment, 'HTTPS_PROXY'),
    noProxy: valueIn(environment, 'NO_PROXY'),
  }
  const direct = lookup === undefined ? globalThis.fetch : fetchBy(lookup)
  return proxies.http === '' && proxies.https === '' ? direct : fetchThrough(proxies, direct)
}

let ofProcess: Fetch | null = null

/** Uses the environment of this process, which is read at the first call.
 *  @throws {ProxyError} */
export const systemFetch: Fetch = (input, init) => {
  ofProcess ??= environmentFetch(process.env)
  return ofProcess(input, init)
}

function fetchThrough(proxies: Proxies, direct: Fetch): Fetch {
  const through = fetchWith(undici => proxyAgent(undici, proxies))
  const isDirect = noProxyRule(proxies.noProxy)
  return async (input, init) => {
    const url = new URL(addressOnly(input))
    const proxy = url.protocol === 'https:' ? proxies.https : proxies.http
    if (proxy === '' || LOOPBACK.test(url.hostname) || isDirect(url)) return direct(input, init)
    return through(input, init)
  }
}

type Undici = typeof import('undici')

function proxyAgent({ EnvHttpProxyAgent }: Undici, { http, https }: Proxies): Dispatcher {
  // an http request goes to the proxy without a tunnel, because many proxies open tunnels to port 443 only
  return new EnvHttpProxyAgent({
    httpProxy: http || https,
    httpsProxy: https || http,
    noProxy: '', // the caller has applied NO_PROXY already
    proxyTunnel: false,
  })
}

function fetchBy(lookup: LookupFunction): Fetch {
  return fetchWith(({ Agent }) => new Agent({ connect: { lookup } }))
}

/** Loads the library at the first use, because that takes longer than the start of a command. */
function fetchWith(agent: (undici: Undici) => Dispatcher): Fetch {
  const open = async () => {
    const undici = await import('undici')
    return { fetch: undici.fetch, dispatcher: agent(undici) }
  }
  let opening: ReturnType<typeof open> | null = null
  return async (input, { body = null, headers, ...init } = {}) => {
    const address = addressOnly(input)
    if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array))
      throw new TypeError('expected a body of text or bytes')
    opening ??= open()
    const { fetch, dispatcher } = await opening
    return fetch(address, { ...init, headers: [...new Headers(headers)], body, dispatcher })
  }
}

function addressOnly(input: Parameters<Fetch>[0]): string | URL {
  if (input instanceof Request) throw new TypeError('expected an address, got a Request')
  return input
}

function valueIn(environment: Environment, name: string): string {
  return (environment[name.toLowerCase()] || environment[name] || '').trim()
}

/** An address without a scheme counts as http, as in other programs. */
function addressIn(environment: Environment, name: string): string {
  const text = valueIn(environment, name)
  if (text === '') return ''
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const isOfProxy = ['http:', 'https:'].includes(parseUrl(address)?.protocol ?? '')
  if (isOfProxy) return address
  throw new ProxyError(
    `${name}: expected the address of a proxy such as http://proxy.example:3128, got something else; correct or remove the variable`,
  )
}
