/** Serves the route of `examples/ask/next` like next does, as far as this file needs it: the handlers get a `Request`, and `cookies()` reads and sets its cookies.
 *  It is a separate program in the folder of `askingFolder`, with `PORT`. @module */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

type Cookies = {
  get(name: string): { readonly value: string } | undefined
  set(name: string, value: string): void
}
const cookiesOfRequest = new AsyncLocalStorage<Cookies>()
Object.assign(globalThis, { cookiesOfRequest })

const route = await import(pathToFileURL(resolve('next/app/api/[...step]/route.js')).href)
const { PORT } = process.env

createServer(async (request, response) => {
  const { method = '', url = '', headers } = request
  const sent = new Map(
    headers.cookie?.split('; ').map(text => text.split(/=(.*)/).slice(0, 2) as [string, string]),
  ) // name and value
  const cookies: Cookies = {
    get: name => (sent.has(name) ? { value: sent.get(name) ?? '' } : undefined),
    set: (name, value) => void response.appendHeader('Set-Cookie', `${name}=${value}; Path=/; HttpOnly`),
  }
  const asked = new Request(new URL(url, 'http://site.example'), { method })
  const { status, headers: given, body } = await cookiesOfRequest.run(cookies, () => route[method](asked))
  for (const [name, value] of given) response.setHeader(name, value)
  response.writeHead(status)
  for await (const chunk of body ?? []) response.write(chunk)
  response.end()
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}/`))
