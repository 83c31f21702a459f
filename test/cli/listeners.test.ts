/** Whole sessions with `svc` if clients have their own listener and everything has a path prefix, and sessions from a printed code
 *  (spec/session-server#2.6, #16, #20). @module */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, runSvc, startSvc } from './run-svc.ts'

const folder = temporaryFolder()
const SCHEMES = ['--schemes-path', 'demo/schemes']
const WALLET = ['--dir', join(folder, 'wallet'), ...SCHEMES]
const AGE = 'svc-demo.gov.idcard.over18'

type Ports = { readonly port: number; readonly clientPort: number }

async function withServer(words: readonly string[], use: (ports: Ports) => Promise<void>): Promise<void> {
  const [port, clientPort] = [await freePort(), await freePort()]
  const given = ['--port', String(port), '--client-port', String(clientPort), '--listen-addr', '127.0.0.1']
  const own = ['--client-listen-addr', '127.0.0.1', '--api-prefix', '/api', '--store', 'memory']
  const server = startSvc(['server', ...SCHEMES, ...given, ...own, ...words])
  try {
    const said = await server.says('svc server running')
    assert.match(said, new RegExp(` port=${port} clientAddress="127.0.0.1" clientPort=${clientPort}`))
    assert.match(said, ` url="http://127.0.0.1:${clientPort}/api/"`)
    await use({ port, clientPort })
  } finally {
    server.process.kill('SIGTERM')
  }
  assert.is((await server.finished).code, 0)
}

async function lineOf(running: ReturnType<typeof startSvc>): Promise<string> {
  const said = await running.says('"}\n')
  return said.slice(0, said.indexOf('\n'))
}

const Apart = suite('svc server with client_port, api_prefix and static files')

Apart(
  'a session from the terminal: its requestor on one listener, wallet and frontend on the other',
  async () => {
    assert.is((await runSvc(['wallet', 'init', '--demo', ...WALLET])).code, 0)
    const site = join(folder, 'site')
    mkdirSync(site)
    writeFileSync(join(site, 'index.html'), 'welcome')
    await withServer(['--static-path', site], async ({ port, clientPort }) => {
      const server = ['--server', `http://127.0.0.1:${port}/api`]
      const session = startSvc(['session', ...server, ...SCHEMES, '--json', '--disclose', AGE])
      const pointer = await lineOf(session)
      assert.match(pointer, `{"u":"http://127.0.0.1:${clientPort}/api/svc/session/`)
      assert.is((await runSvc(['wallet', 'answer', pointer, ...WALLET, '--yes'])).code, 0)
      const { code, stdout } = await session.finished
      assert.is(code, 0)
      assert.is(JSON.parse(stdout.split('\n')[1] ?? '').proofStatus, 'VALID')

      const status = async (at: number, path: string): Promise<number> =>
        (await fetch(`http://127.0.0.1:${at}${path}`)).status
      assert.equal([await status(port, '/api/health'), await status(clientPort, '/api/health')], [200, 404])
      assert.equal([await status(port, '/api/'), await status(clientPort, '/api/')], [404, 200])
      assert.is(await (await fetch(`http://127.0.0.1:${clientPort}/api/`)).text(), 'welcome')
    })
  },
)

Apart('--from-package with --server: the result is read at the listener for requestors', () =>
  withServer([], async ({ port }) => {
    const server = `http://127.0.0.1:${port}/api`
    const request = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [[[AGE]]] }
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${server}/session`, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
    })
    const { token, ...rest } = Object(await answer.json())
    const given = ['--from-package', JSON.stringify({ token, ...rest }), '--server', `${server}/`]
    const session = startSvc(['session', ...given, '--json'])
    await lineOf(session)
    await fetch(`${server}/session/${token}`, { method: 'DELETE' })
    const { stdout } = await session.finished
    assert.is(JSON.parse(stdout.split('\n')[1] ?? '').status, 'CANCELLED')
  }),
)

Apart.run()

const Static = suite('svc server with static_sessions')

/** An address of a requestor that keeps all posts. */
async function startReceiver() {
  let tell: (body: string) => void = () => {}
  const posted = new Promise<string>(resolve => {
    tell = resolve
  })
  const server = createServer((req, res) => {
    let body = ''
    req.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    req.on('end', () => {
      res.end()
      tell(body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo // the server listens on a port
  const close = (): void => void server.close()
  return { url: `http://127.0.0.1:${port}/results`, posted, close }
}

Static('the code of the terminal begins a session, whose result arrives at the callback', async () => {
  const receiver = await startReceiver()
  const request = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [[[AGE]]] }
  const sessions = JSON.stringify({ over18: { callbackUrl: receiver.url, request } })
  await withServer(['--static-sessions', sessions], async ({ clientPort }) => {
    const address = `http://127.0.0.1:${clientPort}/api`
    const shown = await runSvc(['session', '--static-server', address, '--static-name', 'over18', '--noqr'])
    assert.is(shown.code, 0)
    assert.is(shown.stderr, `Server URL: ${address}/\n`)
    const { u, ...rest } = JSON.parse(shown.stdout)
    assert.equal([u, rest], [`${address}/svc/session/over18`, { svcqr: 'redirect' }])

    const pointer = await (await fetch(u, { method: 'POST', body: '{}' })).text()
    assert.is((await runSvc(['wallet', 'answer', pointer, ...WALLET, '--yes'])).code, 0)
    const { status, proofStatus } = JSON.parse(await receiver.posted)
    assert.equal([status, proofStatus], ['DONE', 'VALID'])
  })
  receiver.close()
})

Static('the code has the member names of the profile, also as a QR code', async () => {
  const given = [
    'session',
    '--static-server',
    'https://id.example/irma',
    '--static-name',
    'a',
    '--profile',
    'irma',
  ]
  const line = await runSvc([...given, '--json'])
  assert.is(line.stdout, '{"u":"https://id.example/irma/session/a","irmaqr":"redirect"}\n')
  const code = await runSvc(given)
  assert.match(code.stderr, /[▀▄█]/)
  assert.is(code.stdout, '')
})

Static('svc server check refuses a static session that could never start', async () => {
  const { code, stderr } = await runSvc([
    'server',
    'check',
    ...SCHEMES,
    '--store',
    'memory',
    '--static-sessions',
    '{"a":{}}',
  ])
  assert.is(code, 1)
  assert.match(stderr, /^svc: static_sessions\.a: /)
})

Static.run()
