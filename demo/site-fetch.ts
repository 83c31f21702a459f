/** `fetch` for a program that calls the web sites by name. Node's resolver does not know names under `localhost`, and Node's `fetch` does not allow to set `Host`.
 *  A call to one of these names therefore goes to the loopback address, with the name as its `Host`. @module */
import { request } from 'node:http'

/** @param address address of the web sites
 *  @param hosts names and ports of the web sites; calls to other hosts go to `fetch` unchanged */
export function siteFetch(address: string, hosts: readonly string[]): typeof fetch {
  return (input, init) => {
    const target = typeof input === 'string' || input instanceof URL ? new URL(input) : null
    if (target === null || !hosts.includes(target.host)) return fetch(input, init)
    return callByName(address, target, init)
  }
}

/** Calls without following redirects, which session servers do not send. */
function callByName(
  address: string,
  { host, pathname, search }: URL,
  { method = 'GET', headers, body, signal }: RequestInit = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = { ...Object.fromEntries(new Headers(headers)), host }
    const url = new URL(pathname + search, address)
    const call = request(url, { method, headers: sent, ...(signal && { signal }) }, answer => {
      const { statusCode: status = 0, headersDistinct } = answer
      const got = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const isEmpty = status === 204 || status === 304
      if (isEmpty) answer.resume()
      resolve(new Response(isEmpty ? null : answer, { status, headers: got }))
    })
    call.on('error', reject)
    call.end(typeof body === 'string' ? body : undefined)
  })
}
