/** Admission of viewers: a browser or a program on this computer with the right token. Each refused call has one fault. */
import { once } from 'node:events'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { Inspection } from '../../../actors/inspection/inspection.ts'
import { isLoopback } from '../../../http/inspector/admission.ts'
import { createInspectorServer } from '../../../http/inspector/server.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { rejection } from '../../faults/rejection.ts'
import { inTime } from '../../patience.ts'
import { suite } from '../../suite.ts'
import { clientOf } from '../client.ts'
import { idleConnections } from '../idle-connections.ts'
import { type InspectorCall, refusalOf, TOKEN, viewerOf, withInspector } from './harness.ts'

const Admission = suite('inspector: who may watch')

const host = (port: number): string => `127.0.0.1:${port}`
const TOKEN_WORDS = '403 token: expected the token that was printed at the start, got another or none'
const HOST_WORDS = '403 Host: expected a name of this computer, got another or none'
const REFUSED: Readonly<
  Record<string, readonly [asked: (port: number) => InspectorCall, words: RegExp | string]>
> = {
  'without a token': [() => ({ token: '' }), TOKEN_WORDS],
  'with another token': [() => ({ token: `${TOKEN.slice(0, -1)}x` }), TOKEN_WORDS],
  'with a longer token': [() => ({ token: `${TOKEN}r` }), TOKEN_WORDS],
  'from a page of another site': [
    () => ({ headers: { Origin: 'https://site.example' } }),
    /^403 Origin: expected http:\/\/127\.0\.0\.1:\d+ or none, got another$/,
  ],
  'from a page of another port of this computer': [
    port => ({ headers: { Origin: `http://127.0.0.1:${port + 1}` } }),
    /^403 Origin: /,
  ],
  'from a page with the origin null': [() => ({ headers: { Origin: 'null' } }), /^403 Origin: /],
  'by a foreign name that resolves to this computer': [
    () => ({ headers: { Host: 'inspector.site.example' } }),
    HOST_WORDS,
  ],
  'by a foreign name, from a page of that name': [
    port => ({ headers: { Host: `site.example:${port}`, Origin: `http://site.example:${port}` } }),
    HOST_WORDS,
  ],
  'by a name that begins with a name of this computer': [
    () => ({ headers: { Host: '127.0.0.1.site.example' } }),
    HOST_WORDS,
  ],
  'on another path': [() => ({ path: '/other' }), '404 path: expected one of /page, /stately, got another'],
}

for (const [what, [asked, words]] of Object.entries(REFUSED))
  Admission(`refused: ${what}`, () =>
    withInspector(async ({ inspectorPort, inspectorLog }) => {
      const refusal = await refusalOf(inspectorPort, asked(inspectorPort))
      if (typeof words === 'string') assert.is(refusal, words)
      else assert.match(refusal, words)
      assert.is(inspectorLog.length, 1)
      assert.match(inspectorLog[0] ?? '', /"level":40,.*the inspector refused a viewer/)
      for (const line of inspectorLog) assert.not.match(line, TOKEN.slice(0, -1))
    }),
  )

Admission(
  'a refused client that keeps its half open takes no place, and does not delay the end of the server',
  () =>
    withInspector(async ({ inspectorPort: port, closeInspector }) => {
      const socket = connect({ port, allowHalfOpen: true })
      const asked = ['GET /page HTTP/1.1', `Host: ${host(port)}`, 'Connection: Upgrade', 'Upgrade: websocket']
      socket.write([...asked, '', ''].join('\r\n'))
      socket.resume()
      await once(socket, 'end')
      try {
        await inTime(closeInspector(), 'the end of the server')
      } finally {
        socket.destroy()
      }
    }),
)

Admission('programs without an origin are admitted, and the page, by every name of this computer', () =>
  withInspector(async ({ inspectorPort: port }) => {
    const names = [host(port), `localhost:${port}`, `[::1]:${port}`, `127.0.0.2:${port}`, 'localhost:9000']
    for (const path of ['/page', '/stately']) {
      assert.is(await refusalOf(port, { path }), 'open')
      for (const Host of names)
        assert.is(await refusalOf(port, { path, headers: { Host, Origin: `http://${Host}` } }), 'open', Host)
    }
  }),
)

Admission('eight viewers may watch at once, and a ninth when one of them has left', () =>
  withInspector(async ({ inspectorPort: port }) => {
    const viewers = await Promise.all(Array.from({ length: 8 }, () => viewerOf(port)))
    assert.is(await refusalOf(port, {}), '503 viewers: expected at most 8 at once, got more')
    await viewers[0]?.close()
    assert.is(await refusalOf(port, {}), 'open')
    for (const viewer of viewers.slice(1)) await viewer.close()
  }),
)

Admission('100 idle connections block no caller and no viewer', () =>
  withInspector(async ({ inspectorPort }) => {
    const viewer = await viewerOf(inspectorPort)
    const idle = await idleConnections(inspectorPort, 100)
    assert.is((await clientOf(inspectorPort).call('GET', '/')).status, 200)
    assert.is(await refusalOf(inspectorPort, {}), 'open')
    assert.is(await idle.open(14), 14)
    idle.end()
    await viewer.close()
    assert.is.not((await viewer.ended).code, 1006)
  }),
)

Admission('the inspector listens only on this computer', async () => {
  const clock = createSimulatedClock(0)
  const log = { info() {}, warn() {} }
  const server = createInspectorServer({ inspection: new Inspection(() => {}), clock, log, token: TOKEN })
  for (const address of ['0.0.0.0', '192.0.2.1', '::', 'localhost'])
    assert.match(
      await rejection(server.listen(0, address)),
      /^RangeError: inspector: expected a loopback address, got "/,
    )
  assert.equal(['127.0.0.1', '127.255.0.9', '::1', '127.site.example', '::', '128.0.0.1'].map(isLoopback), [
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
Admission.run()

const Page = suite('inspector: the files of its page')

Page('the files need no token, load nothing from other servers, and are not shown in frames', () =>
  withInspector(async ({ inspectorPort: port }) => {
    const { status, headers, text } = await clientOf(port).call('GET', '/')
    assert.equal([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
    assert.match(text, /^<!doctype html>/)
    assert.is(
      headers['content-security-policy'],
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://127.0.0.1:${port}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['referrer-policy'], 'no-referrer')
    const head = await clientOf(port).call('HEAD', '/')
    assert.equal(
      [head.status, head.headers['content-length'], head.text],
      [200, `${Buffer.byteLength(text)}`, ''],
    )
  }),
)

Page('there is no other file, under any spelling of a path', () =>
  withInspector(async ({ inspectorPort: port }) => {
    for (const path of ['/nothing', '//', '/../server.ts', '/%2e%2e/server.ts', '/page/', '/index.html/']) {
      const missing = await clientOf(port).call('GET', path)
      assert.equal([missing.status, missing.headers.allow], [404, undefined], path)
    }
    const { status, headers, text } = await clientOf(port).call('POST', '/')
    assert.equal([status, headers.allow], [405, 'GET, HEAD'])
    assert.is(text, 'method: expected GET or HEAD, got another\n')
  }),
)

Page('a plain call of a feed is answered with the reason why a WebSocket would be refused', () =>
  withInspector(async ({ inspectorPort: port, inspectorLog }) => {
    const asked = async (path: string, headers = {}) => {
      const { status, text } = await clientOf(port).call('GET', path, { headers })
      return `${status} ${text}`
    }
    for (const path of ['/page', '/stately']) {
      assert.is(await asked(`${path}?token=${TOKEN}`), '426 Upgrade: expected websocket, got none')
      assert.is(await asked(`${path}?token=other`), TOKEN_WORDS)
      assert.is(await asked(path), TOKEN_WORDS)
      assert.is(await asked(`${path}?token=${TOKEN}`, { Host: 'site.example' }), HOST_WORDS)
    }
    const upgradeOf = async (token: string) =>
      (await clientOf(port).call('GET', `/page?token=${token}`)).headers.upgrade
    assert.equal([await upgradeOf(TOKEN), await upgradeOf('other')], ['websocket', undefined])
    const viewers = await Promise.all(Array.from({ length: 8 }, () => viewerOf(port)))
    assert.is(await asked(`/page?token=${TOKEN}`), '503 viewers: expected at most 8 at once, got more')
    for (const viewer of viewers) await viewer.close()
    assert.not.match(inspectorLog.join(''), 'refused a viewer')
  }),
)

Page('a call by a foreign name gets only the reason of the refusal', () =>
  withInspector(async ({ inspectorPort: port }) => {
    const { status, text } = await clientOf(port).call('GET', '/', { headers: { Host: 'site.example' } })
    assert.is(`${status} ${text}`, `${HOST_WORDS}\n`)
  }),
)
Page.run()
