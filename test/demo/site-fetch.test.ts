/** The phone's wallet reaches the web sites by their names, at the loopback address. @module */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { listen } from '../../demo/listen.ts'
import { siteFetch } from '../../demo/site-fetch.ts'
import { siteHosts } from '../../demo/site-hosts.ts'
import { STEPS } from '../../demo/steps.ts'
import { closeListener } from '../../http/listen.ts'
import { PROJECT } from '../project.ts'
import { suite } from '../suite.ts'

const seen: string[] = []
const listener = createServer(async (req, res) => {
  let body = ''
  for await (const chunk of req) body += chunk
  const { host, authorization } = req.headers
  seen.push([req.method, host, req.url, authorization, body].join(' '))
  if (req.url === '/stream')
    return res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
  if (req.url === '/away') return res.writeHead(302, { Location: '/' }).end()
  return req.method === 'DELETE' ? res.writeHead(204).end() : res.end('answered')
})
const address = await listen(listener, 0, '127.0.0.1')
const { host: ownHost, port } = new URL(address)
const host = siteHosts(address).of('either')
const fetchSite = siteFetch(address, siteHosts(address).all)

const Fetch = suite('demo: the web sites by their names')

Fetch('each web site has a name of its own under localhost, with the port of the demo', () => {
  const { of, all } = siteHosts(address)
  assert.is(of('either'), `reading-room.localhost:${port}`)
  assert.is(new Set(all).size, STEPS.length)
  for (const one of all) assert.match(one, new RegExp(`^[a-z]+-[a-z]+\\.localhost:${port}$`))
  assert.is(siteHosts('http://127.0.0.1').of('either'), 'reading-room.localhost')
})

Fetch('the name on the page is the name in the address', async () => {
  const { STEPS: words } = await import(pathToFileURL(join(PROJECT, 'demo/page/steps.js')).href)
  for (const step of STEPS) {
    const name = String(words[step].site).toLowerCase().replace(' ', '-')
    assert.is(siteHosts(address).of(step), `${name}.localhost:${port}`)
  }
})

Fetch('a call arrives with the name as its Host, and otherwise unchanged', async () => {
  const headers = { Authorization: 'secret' }
  const response = await fetchSite(`http://${host}/a?b=c`, { method: 'POST', headers, body: 'x' })
  assert.equal([response.status, await response.text()], [200, 'answered'])
  assert.is(seen.pop(), `POST ${host} /a?b=c secret x`)
  const empty = await fetchSite(`http://${host}/`, { method: 'DELETE' })
  assert.equal([empty.status, await empty.text()], [204, ''])
})

Fetch('a redirect is returned like any other answer', async () => {
  const { status, headers } = await fetchSite(`http://${host}/away`, { redirect: 'manual' })
  assert.equal([status, headers.get('location')], [302, '/'])
})

Fetch('an address that is no web site is called as it is', async () => {
  await fetchSite(address)
  assert.match(seen.pop() ?? '', `GET ${ownHost} /`)
  for (const other of [`evil.localhost:${port}`, 'reading-room.localhost:1'])
    assert.is(await fetchSite(`http://${other}/`).catch(() => 'not found'), 'not found')
})

Fetch('an abort ends the call, and the stream that has begun', async () => {
  const stop = new AbortController()
  const { body } = await fetchSite(`http://${host}/stream`, { signal: stop.signal })
  const reader = body?.getReader()
  assert.is(new TextDecoder().decode((await reader?.read())?.value), 'data: 1\n\n')
  const ended = reader?.read().then(
    () => 'more',
    () => 'ended',
  )
  stop.abort()
  assert.is(await ended, 'ended')
  const aborted = fetchSite(`http://${host}/`, { signal: stop.signal })
  assert.is(await aborted.catch(error => error.name), 'AbortError')
})

Fetch.after(() => closeListener(listener))
Fetch.run()
