/** The demo as a whole: its page, its allowed callers, start and end. @module */
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import * as assert from 'uvu/assert'
import { startDemo } from '../../demo/demo.ts'
import { siteHosts } from '../../demo/site-hosts.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { OPTIONS, pageOf, startTestDemo } from './start.ts'

type RemoteError = { readonly error: string }

/** One demo for all tests of this file; the last suite closes it. */
const demo = await startTestDemo()
const page = pageOf(demo)

/** Sends a request with that host, which `fetch` does not allow. */
function statusWithHost(
  host: string,
  path = '/',
  method = 'GET',
): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(demo.address)
    request({ hostname, port, path, method, headers: { host } }, response => {
      response.resume()
      resolve([response.statusCode, response.headers.location])
    })
      .on('error', reject)
      .end()
  })
}

const Page = suite('demo: the page')

Page('malformed addresses are answered, and the demo keeps running', async () => {
  const { host } = new URL(demo.address)
  for (const path of ['//', 'http://[/', '/\\evil', '//x:y/', '/%', '*', `http://${host}/demo/phone/cards`])
    assert.is((await statusWithHost(host, path))[0], 404, path)
  assert.is((await fetch(demo.address)).status, 200)
})

Page('its session server leaves connections open for the next call', async () => {
  const { headers } = await fetch(new URL('/health', demo.address))
  assert.is.not(headers.get('connection'), 'close')
})

Page('every file of the page is served with its type and a strict policy', async () => {
  const response = await fetch(demo.address)
  assert.is(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'self'; /)
  const html = await response.text()
  const files = [...html.matchAll(/(?:src|href)="([a-z-]+\.(?:js|css|svg))"/g)].map(([, name]) => name ?? '')
  assert.ok(files.length >= 6)
  for (const name of files) assert.is((await fetch(new URL(name, demo.address))).status, 200, name)
})

Page('the page loads nothing from other hosts and has no inline script or style', async () => {
  const html = await (await fetch(demo.address)).text()
  assert.not.match(html, /https?:|\bstyle=|<style|\bon[a-z]+=|<script(?![^>]*\bsrc=)/)
})

Page('a path that is no file of the page is not found', async () => {
  for (const path of [
    'demo.ts',
    'page/index.html',
    'index.html',
    '..%2fpackage.json',
    'schemes/svc-demo/sk.pem',
    'demo/nothing',
  ])
    assert.is((await fetch(demo.address + path)).status, 404, path)
})

Page('another host name is refused, on the paths of the session server too', async () => {
  for (const path of ['/', '/demo/phone/cards', '/health'])
    assert.equal(await statusWithHost('shop.example', path), [403, undefined])
})

Page('the page by another name of this computer leads to its address', async () => {
  const { port } = new URL(demo.address)
  assert.equal(await statusWithHost(`localhost:${port}`), [302, demo.address])
  assert.equal(await statusWithHost(`localhost:${port}`, '/demo/phone/cards'), [403, undefined])
})

Page(
  'at the name of a web site there are the calls of wallet apps and frontends, and no others',
  async () => {
    const { port } = new URL(demo.address)
    const { all } = siteHosts(demo.address)
    const status = `/svc/session/${'x'.repeat(20)}/frontend/status`
    for (const host of all) {
      assert.is((await statusWithHost(host, status))[0], 400, 'the session server answers')
      assert.equal(await statusWithHost(host), [302, demo.address])
      for (const path of [
        '/health',
        '/main.js',
        '/demo/phone/cards',
        '/demo/tour',
        '/?back=x',
        '/svc/revocation/x',
      ])
        assert.is((await statusWithHost(host, path))[0], 403, path)
      for (const path of ['/', '/session', '/revocation', '/demo/site/start'])
        assert.is((await statusWithHost(host, path, 'POST'))[0], 403, path)
    }
    for (const other of [
      `evil.localhost:${port}`,
      `evil.film-club.localhost:${port}`,
      'film-club.localhost',
      'film-club.localhost:1',
      `film-club.localhost.:${port}`,
      `film-club:${port}`,
    ])
      for (const path of ['/', status])
        assert.equal(await statusWithHost(other, path), [403, undefined], other)
  },
)

Page('the page may follow sessions by the names of the web sites, and call nothing else', async () => {
  const policy = (await fetch(demo.address)).headers.get('content-security-policy') ?? ''
  const { all } = siteHosts(demo.address)
  const called = /; connect-src ([^;]*)$/.exec(policy)?.[1]
  assert.is(called, ["'self'", ...all.map(host => `http://${host}`)].join(' '))
})

Page('a call from another origin, or from none, changes nothing', async () => {
  for (const headers of [
    { Origin: 'https://shop.example' },
    { Origin: 'null' },
    { Origin: `http://${siteHosts(demo.address).of('login')}` },
  ]) {
    const refused = await page.call<RemoteError>('/demo/site/start', 'POST', { step: 'login' }, headers)
    assert.equal([refused.status, refused.body.error], [403, 'UNAUTHORIZED'])
  }
  assert.is((await fetch(`${demo.address}demo/site/start`, { method: 'POST' })).status, 403)
})

Page.run()

const Running = suite('demo: start and end')

Running('at the end the wallet is gone and the address is free', async () => {
  const dataDir = temporaryFolder()
  const other = await startDemo({ ...OPTIONS, dataDir })
  assert.is(readdirSync(dataDir).length, 2, 'a phone, and schemes')
  await other.close()
  assert.is(readdirSync(dataDir).length, 0)
  const port = Number(new URL(other.address).port)
  const again = await startDemo({ ...OPTIONS, port })
  await again.close()
})

Running('an address that others can reach is refused', async () => {
  try {
    await startDemo({ ...OPTIONS, host: '0.0.0.0' })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, RangeError)
    assert.match(String(error), 'expected a loopback address')
  }
})

Running('a start that fails leaves nothing behind', async () => {
  const dataDir = temporaryFolder()
  try {
    await startDemo({ ...OPTIONS, dataDir, port: Number(new URL(demo.address).port) })
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), 'EADDRINUSE')
    assert.equal(readdirSync(dataDir), [])
  }
})

Running.after(() => demo.close())
Running.run()
