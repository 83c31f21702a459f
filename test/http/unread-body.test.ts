/** Bodies that are refused before they are read completely: a body over the limit, and the body of a caller without permission. @module */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { AUTHENTICATED, appHeaders, OF_SHOP, type ServerOfTest, withServer } from './harness.ts'

const Unread = suite('bodies that are not read')
const JSON_TYPE = { 'Content-Type': 'application/json' }
const RECORDS = '/svc/revocation/svc-demo.gov.idcard/issuancerecord/0'
const WRONG = { Authorization: 'x' }

/** The server's socket of the latest request. */
async function withLatest(use: (latest: () => Socket) => Promise<void>): Promise<void> {
  let socket: Socket | null = null
  const note = (message: unknown): void => {
    socket = (message as { socket: Socket }).socket // the type is from the documentation of the channel
  }
  subscribe('http.server.request.start', note)
  try {
    await use(() => {
      if (socket === null) throw new Error('no request')
      return socket
    })
  } finally {
    unsubscribe('http.server.request.start', note)
  }
}

function headOf(path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`
}

type Refused = readonly [title: string, path: string, headers: Record<string, string>, answer: RegExp]

/** Sends the head of a request and nothing more. */
async function assertRefusedUnread(server: ServerOfTest, [title, path, headers, answer]: Refused) {
  await withLatest(async latest => {
    const socket = connectSocket(server.port, '127.0.0.1')
    const head = headOf(path, headers)
    socket.write(head)
    const [chunk] = await once(socket, 'data')
    assert.match(String(chunk), answer, title)
    assert.match(String(chunk), /\r\nConnection: close\r\n/, title)
    assert.is(latest().bytesRead, Buffer.byteLength(head), title)
    socket.destroy()
  })
}

Unread('a Content-Length above the limit is refused before a byte arrives, and nothing changes', () =>
  withServer({}, async server => {
    const [session, fresh] = [await server.create(), await server.create()]
    await server.call('GET', session.app, { headers: appHeaders() })
    const tooLong = /^HTTP\/1.1 413 .*"error":"INVALID_REQUEST".*at most 10485760 bytes/s
    const { bodyBytes } = server.settings.limits
    // the second length exceeds the room for all bodies, and is 0 in 32 bits
    for (const bytes of [bodyBytes + 1, 2 ** 40]) {
      const length = { 'Content-Length': String(bytes) }
      const rows: Refused[] = [
        ['POST /session', '/session', { ...JSON_TYPE, ...length }, tooLong],
        ['POST /revocation', '/revocation', { ...JSON_TYPE, ...length }, tooLong],
        ['/proofs', `${session.app}/proofs`, { ...appHeaders(), ...length }, tooLong],
        ['/commitments', `${session.app}/commitments`, { ...appHeaders(), ...length }, tooLong],
        ['/options', `${fresh.frontend}/options`, { ...fresh.authorization, ...length }, tooLong],
        [
          '/options',
          `${fresh.frontend}/options`,
          { ...fresh.authorization, ...JSON_TYPE, ...length },
          tooLong,
        ],
      ]
      for (const row of rows) await assertRefusedUnread(server, row)
    }
    assert.is((await server.rowOf(session)).version, 2)
    assert.is((await server.rowOf(fresh)).version, 1)
  }),
)

Unread('a caller whose headers are refused gets the answer before a byte of the body arrives', async () => {
  const length = { 'Content-Length': '100' }
  const neither = /^HTTP\/1.1 400 .*got neither/s
  const unknown = /^HTTP\/1.1 403 .*"error":"UNAUTHORIZED"/s
  await withServer({ settings: AUTHENTICATED }, async server => {
    for (const row of [
      ['no token', '/session', { ...JSON_TYPE, ...length }, neither],
      ['a wrong token', '/session', { ...JSON_TYPE, ...WRONG, ...length }, unknown],
      ['no token, to revoke', '/revocation', { ...JSON_TYPE, ...length }, neither],
      ['a wrong token, to revoke', '/revocation', { ...JSON_TYPE, ...WRONG, ...length }, unknown],
      ['another type', '/session', { 'Content-Type': 'text/html', ...length }, /415 .*Unsupported/s],
    ] as const)
      await assertRefusedUnread(server, row)
  })
  await withServer({}, async server => {
    const { app, frontend } = await server.create()
    await server.call('GET', app, { headers: appHeaders() })
    for (const row of [
      ['another app', `${app}/proofs`, { ...WRONG, ...length }, unknown],
      ['an app without an authorization', `${app}/commitments`, length, unknown],
      ['another frontend', `${frontend}/options`, { ...WRONG, ...length }, unknown],
      ['an issuer of a type that is not served', RECORDS, length, /^HTTP\/1.1 400 .*INVALID_REQUEST/s],
    ] as const)
      await assertRefusedUnread(server, row)
  })
  await withServer({ settings: { ...AUTHENTICATED, signedRequestsOnly: true } }, server =>
    assertRefusedUnread(server, [
      'a token where requests are signed',
      '/session',
      { ...JSON_TYPE, ...OF_SHOP, ...length },
      /^HTTP\/1.1 400 .*expected a signed request/s,
    ]),
  )
})

Unread('a body without a Content-Length is read up to the limit; the discarded rest is limited too', () =>
  withServer({ settings: { limits: { bodyBytes: 2 ** 18 } } }, server =>
    withLatest(async latest => {
      const socket = connectSocket(server.port, '127.0.0.1')
      socket.on('error', () => {}) // the server closes the connection while the client writes
      let answer = ''
      socket.on('data', chunk => {
        answer += chunk
      })
      socket.write(headOf('/session', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }))
      const chunk = `4000\r\n${'x'.repeat(2 ** 14)}\r\n`
      for (let sent = 0; sent < 2 ** 23 && !socket.destroyed; sent += 2 ** 14) {
        socket.write(chunk)
        await settle(1)
      }
      assert.ok(socket.destroyed)
      assert.match(answer, /^HTTP\/1.1 413 .*at most 262144 bytes/s)
      const received = latest().bytesRead
      assert.ok(received > 2 ** 18)
      assert.ok(received < 3 * 2 ** 18 + 2 ** 17, `received ${received}`)
    }),
  ),
)

Unread('a client that writes its whole body before it reads gets its answer', () =>
  withServer({ settings: { limits: { bodyBytes: 2 ** 23 } } }, async server => {
    const length = 2 ** 24 - 1
    const socket = connectSocket(server.port, '127.0.0.1')
    socket.pause()
    socket.write(headOf('/session', { ...JSON_TYPE, 'Content-Length': String(length) }))
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write('x'.repeat(length), () => resolve())
    })
    let answer = ''
    for await (const chunk of socket) answer += chunk
    assert.match(answer, /^HTTP\/1.1 413 .*at most 8388608 bytes/s)
  }),
)

/** Waits until the connection is closed. The clock does not move. */
function closes(socket: Socket): Promise<void> {
  return until(() => socket.closed, 'the end of the connection')
}

/** A connection that has sent only the head of a request, and the answer so far. */
function withHeadOf(server: ServerOfTest, length: number) {
  const socket = connectSocket(server.port, '127.0.0.1')
  socket.write(headOf('/session', { ...JSON_TYPE, 'Content-Length': String(length) }))
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  return { socket, answer: () => answer }
}

Unread('the answer has a Content-Length, so that it is complete while the connection is open', () =>
  withServer({}, async server => {
    const { socket, answer } = withHeadOf(server, 100_000_000)
    await once(socket, 'data')
    await settle()
    assert.not(socket.closed)
    const [head = '', body = ''] = answer().split('\r\n\r\n')
    const [, length] = /\r\nContent-Length: (\d+)$/m.exec(head) ?? []
    assert.is(Number(length), Buffer.byteLength(body))
    assert.is(JSON.parse(body).error, 'INVALID_REQUEST')
    socket.destroy()
  }),
)

Unread('a client that sends no more is disconnected after the time limit of a body', () =>
  withServer({}, async server => {
    const { socket } = withHeadOf(server, 100_000_000)
    await once(socket, 'data')
    await settle()
    server.clock.advance(9_999)
    await settle(1_000)
    assert.not(socket.closed)
    server.clock.advance(1)
    await closes(socket)
  }),
)

Unread('the server does not wait again for a body that did not arrive in time', () =>
  withServer({}, async server => {
    const { socket, answer } = withHeadOf(server, 100)
    for (; answer() === ''; await settle()) server.clock.advance(1_000)
    await closes(socket)
    assert.match(answer(), /^HTTP\/1.1 503 /)
  }),
)

Unread.run()
