/** The end of a server that gets a stop signal: claimed work is finished, nothing new begins, and the process exits. @module */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { freePort, type Running, runSvc, startSvc } from './run-svc.ts'

const AGE = 'svc-demo.gov.idcard.over18'
const REQUEST = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose: [[[AGE]]] }
const folder = temporaryFolder()
const wallet = ['--dir', join(folder, 'wallet'), '--schemes-path', 'demo/schemes']

/** A requestor that is asked for the next session of a chain. The claim of the submission is active until `answer` is called. */
type Requestor = { readonly url: string; readonly asked: Promise<unknown>; answer(): void; close(): void }

async function slowRequestor(): Promise<Requestor> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on TCP
  let answer = (): void => undefined
  const asked = once(server, 'request').then(([, response]) => {
    answer = () => response.writeHead(204).end()
  })
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    answer: () => answer(),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Server = { readonly running: Running; readonly url: string; readonly file: string }

async function startServer(
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await freePort()
  const file = join(folder, `${port}.sqlite`)
  const given = ['--schemes-path', 'demo/schemes', '--port', String(port), '--store', `sqlite:${file}`]
  const running = startSvc(['server', '--listen-addr', '127.0.0.1', ...given, ...words], env)
  started.add(running)
  await running.says('svc server running')
  return { running, url: `http://127.0.0.1:${port}`, file }
}

type WholeAnswer = { readonly response: IncomingMessage; readonly text: string }

/** One call, with its whole answer. */
function call(url: string, options: RequestOptions, body = ''): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, async response => {
      resolve({ response, text: Buffer.concat(await response.toArray()).toString() })
    })
    sent.once('error', reject).end(body)
  })
}

async function create(url: string, body: object, agent?: Agent): Promise<WholeAnswer> {
  const headers = { 'Content-Type': 'application/json' }
  return call(`${url}/session`, { method: 'POST', headers, ...(agent && { agent }) }, JSON.stringify(body))
}

const started = new Set<Running>()
const Stop = suite('svc server after a stop signal')
Stop.after(() => {
  for (const { process } of started) process.kill('SIGKILL') // left behind by a failed test
})
Stop.before(async () => {
  const made = await runSvc(['wallet', 'init', '--demo', ...wallet])
  assert.is(made.code, 0, made.stderr)
})

/** A session whose submission is being handled. Its claim is active until the requestor answers. */
async function claimed(words: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const requestor = await slowRequestor()
  const server = await startServer(words, env)
  const extended = { nextSession: { url: requestor.url }, request: REQUEST }
  const { sessionPtr, token } = JSON.parse((await create(server.url, extended)).text)
  const app = startSvc(['wallet', 'answer', JSON.stringify(sessionPtr), '--yes', ...wallet])
  await requestor.asked
  return { ...server, requestor, app, token: String(token), u: String(sessionPtr.u) }
}

async function resultAfterwards(file: string, token: string): Promise<readonly unknown[]> {
  const { running, url } = await startServer(['--store', `sqlite:${file}`])
  const { status, proofStatus } = JSON.parse((await call(`${url}/session/${token}/result`, {})).text)
  running.process.kill('SIGTERM')
  const { code, stderr } = await running.finished
  assert.is(code, 0, `expected exit code 0, got ${code ?? running.process.signalCode}: ${stderr}`)
  return [status, proofStatus]
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  Stop(
    `${signal}: the claim in progress is finished, the app gets its answer, streams and idle connections end`,
    async () => {
      const { running, requestor, app, url, file, token, u } = await claimed()
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      await create(url, REQUEST, agent)
      const stream = await new Promise<IncomingMessage>(
        resolve =>
          void request(`${u}/statusevents`, { agent: new Agent({ keepAlive: true }) }, resolve).end(),
      )
      running.process.kill(signal)
      await running.says('svc server stopping')
      await once(stream.resume(), 'end')
      requestor.answer()
      const { code, stderr } = await app.finished
      assert.is(code, 0, stderr)
      const { code: ended, stderr: log } = await running.finished
      assert.is(ended, 0)
      assert.match(log, /WARN schemes: Issuer svc-demo\.old has no nonexpired public keys/)
      assert.match(log, /INFO svc server stopped\n$/)
      assert.equal(await resultAfterwards(file, token), ['DONE', 'VALID'])
      agent.destroy()
      requestor.close()
    },
  )

Stop('a claim is also finished after its app has closed the connection', async () => {
  const { running, requestor, app, file, token } = await claimed()
  app.process.kill('SIGKILL')
  await app.finished
  running.process.kill('SIGTERM')
  await running.says('svc server stopping')
  requestor.answer()
  assert.is((await running.finished).code, 0)
  assert.equal(await resultAfterwards(file, token), ['DONE', 'VALID'])
  requestor.close()
})

Stop('a claim that outlasts stop_timeout is abandoned, and the app loses its connection', async () => {
  const { running, requestor, app } = await claimed(['--stop-timeout', '100ms'])
  running.process.kill('SIGTERM')
  assert.is((await running.finished).code, 0)
  const said = (await app.finished).stderr
  assert.match(said, /^svc: transport: expected an answer from /, said)
  requestor.close()
})

Stop('a second signal ends the server at once', async () => {
  const { running, requestor, app } = await claimed(['--stop-timeout', '1h'])
  running.process.kill('SIGTERM')
  await running.says('svc server stopping')
  running.process.kill('SIGTERM')
  assert.is((await running.finished).code, null)
  app.process.kill('SIGKILL')
  requestor.close()
})

Stop('on a connection that is still open, a new session and the first call of an app get 503', async () => {
  const { running, requestor, url, app } = await claimed()
  const { sessionPtr } = JSON.parse((await create(url, REQUEST)).text)
  const { pathname, host } = new URL(sessionPtr.u)
  const versions = 'X-Svc-Minprotocolversion: 2.8\r\nX-Svc-Maxprotocolversion: 2.8\r\n'
  const body = JSON.stringify(REQUEST)
  const begun = [
    [
      `POST /session HTTP/1.1\r\nHost: ${host}\r\n`,
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ],
    [`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`, `${versions}\r\n`],
  ] as const
  const sockets = await Promise.all(begun.map(([head]) => beginCall(url, head)))
  await call(`${url}/health`, { agent: false }) // a later connection: when it is answered, the heads on the earlier ones have arrived
  running.process.kill('SIGTERM')
  await running.says('svc server stopping')
  for (const [i, socket] of sockets.entries()) {
    socket.write(begun[i]?.[1] ?? '')
    const answer = Buffer.concat(await socket.toArray()).toString()
    assert.match(answer, /^HTTP\/1\.1 503 /)
    assert.match(answer, /\r\nRetry-After: 2\r\n/i)
    assert.match(answer, /this server is stopping/)
  }
  requestor.answer()
  assert.is((await app.finished).code, 0)
  assert.is((await running.finished).code, 0)
  requestor.close()
})

async function beginCall(url: string, head: string): Promise<Socket> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(head)
  return socket
}

/** Ends only the worker threads when the process gets SIGUSR2. */
const MORTAL_THREADS = `import { BroadcastChannel, isMainThread } from 'node:worker_threads'
const channel = new BroadcastChannel('threads')
channel.unref()
if (isMainThread) process.on('SIGUSR2', () => { channel.postMessage('end'); process.stderr.write('threads end\\n') })
else channel.onmessage = () => process.exit(1)
`

Stop('the process still ends after its worker threads have died', async () => {
  const preload = join(folder, 'mortal.mjs')
  writeFileSync(preload, MORTAL_THREADS)
  const { running, requestor, app, file, token } = await claimed([], { NODE_OPTIONS: `--import ${preload}` })
  running.process.kill('SIGUSR2')
  await running.says('threads end')
  requestor.answer()
  assert.is((await app.finished).code, 0)
  running.process.kill('SIGTERM')
  assert.is((await running.finished).code, 0)
  assert.equal(await resultAfterwards(file, token), ['DONE', 'VALID'])
  requestor.close()
})

Stop(
  'stop_delay: a server whose port is taken has no clients, so it reports the port and ends without the delay',
  async () => {
    const { running, url } = await startServer()
    const words = ['--port', new URL(url).port, '--listen-addr', '127.0.0.1', '--stop-delay', '596h']
    const schemes = ['--schemes-path', 'demo/schemes', '--store', 'memory']
    const { code, stderr } = await runSvc(['server', ...schemes, ...words])
    assert.match(stderr, /^svc: port: expected a free port, but another process listens on \d+/m)
    assert.is(code, 1)
    running.process.kill('SIGTERM')
    await running.finished
  },
)

Stop.run()
