/** The limits of the proxies in `deploy/`: they stop one caller that takes too much, and no other one. The proxies run with their files; some numbers are smaller. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { FIXED_LIMITS, HEAD_BYTES } from '../../http/limits.ts'
import { freePort } from '../cli/run-svc.ts'
import { endProcess, endWithTests } from '../end-process.ts'
import { aroundSite, startCaddy, WITHOUT_TLS } from '../faults/proxy/proxies.ts'
import { inTime } from '../patience.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { untilListening } from '../until-listening.ts'
import { copied, deployed, hasTool, pathOf } from './tools.ts'

const Limits = suite('deploy: the limits of the proxies')
const nginx = isMissing('nginx', hasTool('nginx')) ? Limits.skip : Limits
const caddy = isMissing('caddy', hasTool('caddy')) ? Limits.skip : Limits

type Close = () => Promise<void>
type Running = { readonly port: number; readonly close: Close }

const STREAM = { 'Content-Type': 'text/event-stream' }

/** A node that answers each call, except `/open`, whose answer never ends. */
async function startNode(): Promise<Server & { readonly port: number }> {
  const port = await freePort()
  const server = createServer((request, answer) => {
    if (request.url === '/open') answer.writeHead(200, STREAM).write('begun\n')
    else request.on('end', () => answer.end('whole\n')).resume()
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return Object.assign(server, { port })
}

/** nginx that takes the address of a caller from the header `X-Caller`. */
async function startNginx(node: number, smaller: Readonly<Record<string, string>>): Promise<Running> {
  const folder = temporaryFolder()
  const port = await freePort()
  const nodes = { 'node1:8088': `127.0.0.1:${node}`, 'node2:8088': `127.0.0.1:${node}` }
  const listen = { 'listen 443 ssl;\n    listen [::]:443 ssl;': `listen 127.0.0.1:${port};` }
  const site = copied('nginx.conf', folder, { ...nodes, ...listen, ...WITHOUT_TLS, ...smaller })
  const whole = join(folder, 'whole.conf')
  const callers = 'set_real_ip_from 127.0.0.1; real_ip_header X-Caller;'
  writeFileSync(whole, aroundSite(site, folder, callers))
  const child = spawn(pathOf('nginx'), ['-c', whole, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
  endWithTests(child, 'SIGTERM')
  await untilListening(port, child)
  return { port, close: () => endProcess(child, 'SIGTERM') }
}

async function withProxy(
  start: (node: number) => Promise<Running>,
  use: (port: number) => Promise<void>,
): Promise<void> {
  const node = await startNode()
  const proxy = await start(node.port)
  try {
    await use(proxy.port)
  } finally {
    await proxy.close()
    node.closeAllConnections()
    node.close()
  }
}

type Answer = { readonly status: number; readonly retryAfter: string | null }

/** @returns null if the connection was closed without an answer */
async function call(port: number, caller: string, init: RequestInit = {}): Promise<Answer | null> {
  const headers = { ...init.headers, 'X-Caller': caller, Connection: 'close' }
  const answer = await fetch(`http://127.0.0.1:${port}/`, { ...init, headers }).catch(() => null)
  await answer?.text()
  return answer && { status: answer.status, retryAfter: answer.headers.get('Retry-After') }
}

async function statuses(port: number, callers: readonly string[]): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const caller of callers) found.push((await call(port, caller))?.status ?? null)
  return found
}

/** Opens an answer that never ends. @returns the connection, when the answer has begun or the connection was closed */
function open(port: number, caller: string): Promise<Socket> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /open HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Caller: ${caller}\r\n\r\n`)
    socket.once('data', () => resolve(socket))
    socket.on('close', () => resolve(socket))
    socket.on('error', () => {}) // `close` follows
  })
}

nginx('nginx closes a further connection of one caller, and serves others', () =>
  withProxy(
    node => startNginx(node, { 'svc_connections 200': 'svc_connections 2' }),
    async port => {
      const [first, second] = [await open(port, '192.0.2.1'), await open(port, '192.0.2.1')]
      assert.equal([first.readyState, second.readyState], ['open', 'open'])
      assert.equal(await statuses(port, ['192.0.2.1', '192.0.2.2']), [null, 200])
      for (const socket of [first, second]) socket.destroy()
    },
  ),
)

nginx('nginx refuses a further call of one caller for a while, and serves others', () =>
  withProxy(
    node => startNginx(node, { 'rate=200r/s': 'rate=1r/m', 'burst=400': 'burst=1' }),
    async port => {
      assert.equal(await statuses(port, ['192.0.2.1', '192.0.2.1']), [200, 200])
      assert.equal(await call(port, '192.0.2.1'), { status: 503, retryAfter: '2' })
      assert.equal(await statuses(port, ['192.0.2.2']), [200])
    },
  ),
)

nginx('nginx counts a /64 network of IPv6 as one caller, and a listed address not at all', () =>
  withProxy(
    node =>
      startNginx(node, {
        'rate=200r/s': 'rate=1r/m',
        'burst=400 nodelay': 'nodelay',
        '# 192.0.2.10 1;': '192.0.2.10 1; 2001:db8:ffff::/48 1;',
      }),
    async port => {
      const [a, b, c] = ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::6', '2001:db8:0:2::6']
      assert.equal(await statuses(port, [a ?? '', b ?? '', c ?? '']), [200, 503, 200])
      assert.equal(await statuses(port, ['2001:db8::1', '2001:db8::2', '2001:db9::1']), [200, 503, 200])
      assert.equal(await statuses(port, ['192.0.2.10', '192.0.2.10']), [200, 200])
      assert.equal(await statuses(port, ['2001:db8:ffff::1', '2001:db8:ffff::1']), [200, 200])
    },
  ),
)

const headOf = (port: number): string => `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`

/** Sends a part of a call. @returns when the proxy has closed the connection, with an answer or without */
async function cutOff(port: number, part: string): Promise<void> {
  await new Promise<void>(resolve => {
    const socket = connect(port, '127.0.0.1', () => socket.write(part))
    socket.on('error', () => {}) // `close` follows
    socket.on('close', () => resolve()).resume()
  })
}

/** A caller that sends no more of a head, or of a body, is cut off; an event stream that began before stays open. */
async function assertCutOff(port: number): Promise<void> {
  const stream = await open(port, '192.0.2.1')
  try {
    await inTime(cutOff(port, headOf(port)), 'the end of a connection without a head')
    const begun = `${headOf(port)}Content-Length: 9\r\n\r\n{`
    await inTime(cutOff(port, begun), 'the end of a connection without a body')
    assert.is(stream.readyState, 'open')
  } finally {
    stream.destroy()
  }
}

nginx('nginx waits no longer for a head or a body than its file says', () =>
  withProxy(
    node =>
      startNginx(node, {
        'client_header_timeout 10s': 'client_header_timeout 1s',
        'client_body_timeout 10s': 'client_body_timeout 1s',
      }),
    assertCutOff,
  ),
)

caddy('Caddy waits no longer for a head or a body than its file says', () =>
  withProxy(
    node =>
      startCaddy([node, node], { 'read_header 10s': 'read_header 1s', 'read_body 10s': 'read_body 1s' }),
    assertCutOff,
  ),
)

const TOO_LONG = { method: 'POST', body: new Uint8Array(FIXED_LIMITS.bodyBytes + 1) }

nginx('nginx refuses a longer head and a longer body than a node takes', () =>
  withProxy(
    node => startNginx(node, {}),
    async port => {
      const longest = { method: 'POST', body: new Uint8Array(FIXED_LIMITS.bodyBytes) }
      assert.is((await call(port, '192.0.2.1', longest))?.status, 200)
      assert.is((await call(port, '192.0.2.1', TOO_LONG))?.status, 413)
      const padded = { headers: { 'X-Long': 'x'.repeat(HEAD_BYTES) } }
      assert.is((await call(port, '192.0.2.1', padded))?.status, 400)
    },
  ),
)

caddy('Caddy refuses a longer head and a longer body than a node takes', () =>
  withProxy(
    node => startCaddy([node, node]),
    async port => {
      const longest = { method: 'POST', body: new Uint8Array(FIXED_LIMITS.bodyBytes) }
      assert.is((await call(port, '192.0.2.1', longest))?.status, 200)
      const padded = { headers: { 'X-Long': 'x'.repeat(2 * HEAD_BYTES) } }
      assert.is((await call(port, '192.0.2.1', padded))?.status, 431)
      // Caddy 2.6 notices it while it sends the body to the node
      assert.ok([413, 502].includes((await call(port, '192.0.2.1', TOO_LONG))?.status ?? 0))
    },
  ),
)

Limits('the files have the limits of a node, or lower ones', () => {
  const [, body] = /max_size (\d+)MiB/.exec(deployed('Caddyfile')) ?? []
  const [, head] = /max_header_size (\d+)KiB/.exec(deployed('Caddyfile')) ?? []
  const [, headSec] = /read_header (\d+)s/.exec(deployed('Caddyfile')) ?? []
  const [, bodySec] = /read_body (\d+)s/.exec(deployed('Caddyfile')) ?? []
  const [, idleSec] = /\n\t\t\tidle (\d+)s/.exec(deployed('Caddyfile')) ?? []
  assert.is(Number(body) * 2 ** 20, FIXED_LIMITS.bodyBytes)
  assert.is(Number(head) * 2 ** 10, HEAD_BYTES)
  for (const sec of [headSec, bodySec]) assert.is(Number(sec) * 1_000, FIXED_LIMITS.readingMs)
  assert.ok(Number(idleSec) * 1_000 < FIXED_LIMITS.idleMs)
  for (const name of ['client_header_timeout', 'client_body_timeout'])
    assert.match(deployed('nginx.conf'), `${name} ${FIXED_LIMITS.readingMs / 1_000}s;`)
})

Limits.run()
