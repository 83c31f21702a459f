/** The web site of a requestor: pages with one package each, and its back end, a few lines around `irma-backend`. @module */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Backend, backendOf } from './back-end.ts'
import type { BrowserPackage } from './packages.ts'

export type Site = {
  readonly url: string
  readonly backend: Backend
  /** Sets the requests for the sessions of this visitor's pages, in this order; `next` is served at `{site}/next/{visit}`. */
  expect(visit: string, requests: readonly object[], next?: object): void
  close(): Promise<void>
}

const PAGE = (newFrontend: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Site</title><link rel="icon" href="data:,"><link rel="stylesheet" href="package.css">
<style>* { animation: none !important; transition: none !important }</style>
<body style="font-family: sans-serif"><div id="front"></div>
<script src="package.js"></script>
<script>
  const newFrontend = ${newFrontend}
  function begin(session) {
    window.front = newFrontend(session)
    front.start().then(value => { window.ended = { value } }, reason => { window.ended = { reason: String(reason) } })
  }
</script>`

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' }

export async function startSite(server: string, packages: readonly BrowserPackage[]): Promise<Site> {
  const backend = backendOf(server)
  const files = new Map<string, string>()
  for (const [i, { newFrontend, ...each }] of packages.entries()) {
    for (const [name, content] of await each.files()) files.set(`/${i}/${name}`, content)
    files.set(`/${i}/`, PAGE(newFrontend))
  }
  const starts = new Map<string, object[]>()
  const nexts = new Map<string, object>()
  const site = createServer(async ({ url = '', method }, response) => {
    const [, what, name = ''] = url.split('/')
    const file = files.get(url)
    if (file !== undefined) answer(response, file, TYPES[url.split('.')[1] ?? 'html'])
    else if (what === 'start' && method === 'POST')
      answerJson(response, await backend.startSession(starts.get(name)?.shift() ?? {}))
    else if (what === 'result') answerJson(response, await backend.getSessionResult(name))
    else if (what === 'next' && method === 'POST') answerJson(response, nexts.get(name))
    else answer(response, '', 'text/plain', 404)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}`, // the server listens on TCP
    backend,
    expect(visit, requests, next) {
      starts.set(visit, [...requests])
      if (next) nexts.set(visit, next)
    },
    async close() {
      site.close()
      site.closeAllConnections()
      await once(site, 'close')
    },
  }
}

function answerJson(response: ServerResponse, value: unknown): void {
  answer(response, JSON.stringify(value), 'application/json')
}

function answer(response: ServerResponse, body: string, type = 'text/html', status = 200): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` })
  response.end(body)
}
