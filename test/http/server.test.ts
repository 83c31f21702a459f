/** The server as a whole: its log, its failures, its bounds, its start and its stop (spec/interface#7; spec/laws#5 and #6; spec/decisions#time).
 *  @module */
import { request as httpsRequest } from 'node:https'
import { connect as connectSocket } from 'node:net'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { deferred, settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { tlsPair } from '../tls.ts'
import { appHeaders, disclosure, type ServerOfTest, withMethods, withServer } from './harness.ts'

const Server = suite('session server')
const INTERNAL = { status: 500, error: 'INTERNAL_ERROR', description: 'Internal server error' }

async function wholeSession(server: ServerOfTest): Promise<void> {
  const session = await server.create({}, {})
  server.secrets.push('secret-of-the-app', 'secret-in-the-body')
  const headers = appHeaders('2.4', '2.9', 'secret-of-the-app')
  const stream = await server.open(`${session.frontend}/statusevents`, session.authorization)
  const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await server.call('POST', `${session.frontend}/options`, { headers: session.authorization, body })
  await server.call('GET', `${session.app}/?token=secret-in-the-query`, { headers })
  await server.call('POST', `${session.frontend}/pairingcompleted`, { headers: session.authorization })
  await server.call('GET', `${session.app}/request`, { headers: { Authorization: 'secret-in-the-body' } })
  await server.call('GET', `${session.app}/request`, { headers })
  await server.call('POST', `${session.app}/proofs`, { headers, body: { proofs: ['secret-in-the-body'] } })
  await server.call('GET', `${session.app}/secret-in-the-body`, { headers })
  await server.call('GET', `/session/${session.clientToken}/result`)
  await server.call('GET', `${session.requestor}/result`, { headers: { Cookie: 'secret-in-the-body' } })
  await server.call('GET', `/${session.requestorToken}/secret-in-the-body`)
  await server.post('{"secret-in-the-body"')
  stream.leave()
}

Server('the log of a whole session has a line per request, and no token, code, query or body', async () => {
  await withServer({}, async server => {
    await wholeSession(server)
    const text = server.log.join('')
    for (const secret of [...server.secrets, 'secret-in']) assert.not.match(text, secret)
    assert.not.match(text, /\b4004\b/, 'the pairing code') // digits of a trace may equal the code by chance
    const all = server.log.map(line => JSON.parse(line) as Record<string, unknown>)
    const lines = all.filter(({ level }) => level !== 20) // debug: a line for each status
    assert.is(lines.length, 13)
    assert.equal(
      lines
        .slice(0, 4)
        .map(({ level, method, route, status, ms, msg }) => [level, method, route, status, ms, msg]),
      [
        [30, 'POST', '/session{/}', 200, 0, 'request'],
        [30, 'GET', '/svc/session/:clientToken/frontend/statusevents', 200, 0, 'request'],
        [30, 'POST', '/svc/session/:clientToken/frontend/options', 200, 0, 'request'],
        [30, 'GET', '/svc/session/:clientToken{/}', 200, 0, 'request'],
      ],
    )
    for (const { level, status } of lines) assert.is(level, Number(status) >= 400 ? 40 : 30)
  })
})

Server('any error that is not a remote error is a bug: 500 without details, logged as an error', () =>
  withServer(
    {
      wrapSessions: sessions =>
        withMethods(sessions, {
          findByRequestorToken: () => Promise.reject(new TypeError('detail of the failure')),
        }),
    },
    async server => {
      const { requestor } = await server.create()
      const answer = await server.call('GET', `${requestor}/status`)
      assert.equal(answer.json, INTERNAL)
      assert.is(answer.status, 500)
      const errors = server.log.filter(line => line.includes('"level":50'))
      assert.is(errors.length, 1)
      assert.match(errors[0] ?? '', 'detail of the failure')
    },
  ),
)

Server('an answer contains a stack trace only if the server is verbose', async () => {
  for (const verbosity of [0, 1])
    await withServer({ settings: { verbosity } }, async server => {
      const session = await server.create()
      const answers = [
        await server.call('GET', '/nothing'),
        await server.post('{'),
        await server.call('GET', session.app),
        await server.call('GET', `${session.requestor}x/status`),
      ]
      for (const { json } of answers) assert.is('stacktrace' in (json as object), verbosity === 1)
      assert.not.match((await server.call('GET', `${session.requestor}/result`)).text, 'stack')
    })
})

type SlowCall = readonly [name: keyof Sessions, ms: number, method: string, path: (app: string) => string]
const SLOW: readonly SlowCall[] = [
  ['open', 4_000, 'POST', () => '/session'],
  ['findByClientToken', 4_000, 'GET', app => `${app}/status`],
  ['findByClientToken', 4_000, 'POST', app => `${app}/proofs`],
  ['turn', 4_000, 'DELETE', app => app],
  ['call', 4_000, 'GET', app => app],
  ['call', 15_000, 'POST', app => `${app}/commitments`],
  ['call', 15_000, 'POST', app => `${app}/proofs`],
]
for (const [name, ms, method, pathOf] of SLOW)
  Server(
    `a call that takes longer than ${ms} ms is answered 503: ${name} for ${method} ${pathOf('')}`,
    async () => {
      let isSlow = false
      const wrapSessions = (sessions: Sessions) =>
        new Proxy(sessions, {
          get: (target, key: keyof Sessions) =>
            isSlow && key === name ? () => new Promise(() => {}) : target[key].bind(target),
        })
      await withServer({ wrapSessions }, async server => {
        const session = await server.create()
        isSlow = true
        const headers = { 'Content-Type': 'application/json', ...appHeaders() }
        const startedAt = server.clock.now()
        let isAnswered = false
        const answer = server
          .call(method, pathOf(session.app), { headers, body: disclosure() })
          .finally(() => {
            isAnswered = true
          })
        for (; !isAnswered; await settle()) server.clock.advance(500)
        const { status, headers: got, json } = await answer
        assert.is(status, 503)
        assert.is(got['retry-after'], '2')
        assert.is((json as { error: string }).error, 'INTERNAL_ERROR')
        assert.ok(server.clock.now() - startedAt >= ms)
        assert.is((await server.store.sessions.load(hashOfToken(session.clientToken)))?.status, 'INITIALIZED')
      })
    },
  )

Server('work that continues after a 503 still takes effect', async () => {
  const slow = deferred()
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      async turn(id, decide) {
        await slow.promise
        return await sessions.turn(id, decide)
      },
    })
  await withServer({ wrapSessions }, async server => {
    const session = await server.create()
    const answer = server.call('DELETE', session.app)
    while (server.clock.nextTimerAt() !== server.clock.now() + 4_000) await settle()
    server.clock.advance(4_000)
    assert.is((await answer).status, 503)
    slow.resolve()
    await settle()
    assert.is((await server.rowOf(session)).status, 'CANCELLED')
  })
})

Server('a call in time leaves no timer behind', () =>
  withServer({}, async server => {
    const before = server.clock.nextTimerAt()
    await server.call('GET', '/health')
    await server.call('GET', '/session/x/status')
    await server.post('{')
    assert.is(server.clock.nextTimerAt(), before)
  }),
)

/** Sends bytes as they are. @returns the answer as text */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connectSocket(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

const HTTP_400 = ['400 Bad Request', 'Invalid HTTP request'] as const
const HTTP_431 = ['431 Request Header Fields Too Large', 'Request headers too large'] as const
for (const [title, bytes, [line, description]] of [
  ['no HTTP at all', 'hello\r\n\r\n', HTTP_400],
  ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, HTTP_431],
  [
    'two lengths',
    'POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    HTTP_400,
  ],
] as const)
  Server(`a request that the HTTP parser refuses is answered with a remote error too: ${title}`, () =>
    withServer({}, async server => {
      const text = await exchange(server.port, bytes)
      assert.ok(
        text.startsWith(`HTTP/1.1 ${line}\r\nContent-Type: application/json; charset=UTF-8\r\n`),
        text,
      )
      const status = Number.parseInt(line, 10)
      assert.match(
        text,
        `{"status":${status},"error":"INVALID_REQUEST","description":"${description}","message":"`,
      )
    }),
  )

Server('a request without Host, or with an unknown Expect, is answered like any other', () =>
  withServer({}, async server => {
    const session = await server.create()
    const lines = `GET ${session.app}/status HTTP/1.1\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n`
    assert.match(await exchange(server.port, lines), /200 OK[\s\S]*"INITIALIZED"$/)
  }),
)

for (const profile of ['svc', 'irma'] as const)
  Server(`${profile}: a target without a path is answered with 404, not as a failure of the server`, () =>
    withServer({ settings: { profile } }, async server => {
      for (const target of ['http://[/', 'http://', '//', '//x:y/health', 's://', 's://x', 's://['])
        assert.match(
          await exchange(server.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
          /^HTTP\/1.1 404 [\s\S]*"error":"INVALID_REQUEST"/,
          target,
        )
      assert.is((await server.call('GET', '/health')).status, 200)
      assert.not.match(server.log.join(''), 'unexpected failure')
    }),
  )

Server('a prototype name in a path is an unknown session', () =>
  withServer({}, async server => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      assert.is((await server.call('GET', `/session/${name}/status`)).status, 400)
  }),
)

Server('with a certificate the server uses TLS, at least version 1.2', async () => {
  const tls = tlsPair()
  const call = (port: number, maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise<number>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: '/health', ca: tls.cert, agent: false } as const
      httpsRequest({ ...options, minVersion: 'TLSv1', maxVersion }, response => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
        .on('error', reject)
        .end()
    })
  await withServer({ settings: { tls } }, async ({ port }) => {
    assert.is(await call(port, 'TLSv1.3'), 200)
    assert.is(await call(port, 'TLSv1.2'), 200)
    const refused = await call(port, 'TLSv1.1').then(
      () => 'answered',
      () => 'refused',
    )
    assert.is(refused, 'refused')
  })
})

Server('a port in use is an error of listen', () =>
  withServer({}, first =>
    withServer({}, async second => {
      await second.server.close()
      const listening = second.server.listen(first.port, '127.0.0.1')
      const code = await listening.catch((error: NodeJS.ErrnoException) => error.code)
      assert.is(code, 'EADDRINUSE')
    }),
  ),
)

Server('a running request may finish while the server closes, and is cut off after a limit', async () => {
  for (const finishes of [true, false]) {
    const gate = deferred()
    const wrapSessions = (sessions: Sessions) =>
      withMethods(sessions, {
        read: id => gate.promise.then(() => sessions.read(id)),
        findByRequestorToken: t => gate.promise.then(() => sessions.findByRequestorToken(t)),
      })
    await withServer({ wrapSessions }, async server => {
      const { requestor } = await server.create()
      const answer = server.call('GET', `${requestor}/status`).then(
        ({ status }) => status,
        () => 'cut',
      )
      while (server.clock.nextTimerAt() !== server.clock.now() + 4_000) await settle()
      const closed = server.server.close()
      if (finishes) gate.resolve()
      else server.clock.advance(server.settings.limits.stopMs)
      assert.is(await answer, finishes ? 200 : 'cut')
      await closed
      gate.resolve()
    })
  }
})

Server('the defaults of production: authentication is on, and no type may be issued', () =>
  withServer({ settings: { production: true } }, async server => {
    assert.is((await server.post(disclosure())).status, 400)
    assert.equal(server.settings.permissions.issuePerms, [])
  }),
)

Server.run()
