/** Each request on a connection gets one answer, also if the rest of the request is broken. Then the connection closes. */
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { createMetricsServer } from '../../http/metrics/server.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { deferred, settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { AUTHENTICATED, withMethods, withServer } from './harness.ts'
import { type RawConnection, sent } from './raw-connection.ts'

const OneAnswer = suite('one answer for each request')

/** An invalid chunk of a body. */
const BROKEN_CHUNK = 'no length\r\n'
const CHUNKED = 'Host: x\r\nTransfer-Encoding: chunked\r\n'

function statusesIn({ got }: RawConnection): readonly string[] {
  return [...got().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = '']) => status)
}

function closed({ socket }: RawConnection): Promise<void> {
  return until(() => socket.closed, 'the end of the connection')
}

/** The cases in which the answer comes before the body: the lines of the request, and the status. */
const EARLY = [
  [
    'a refused caller',
    'POST /session HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: x\r\n',
    '403',
  ],
  ['an unknown path', 'POST /nothing HTTP/1.1\r\n', '404'],
  ['another method', 'POST /health HTTP/1.1\r\n', '405'],
  ['a call whose body is not read', 'GET /health HTTP/1.1\r\n', '200'],
  [
    'a preflight',
    'OPTIONS /session HTTP/1.1\r\nOrigin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n',
    '200',
  ],
] as const

for (const [title, lines, status] of EARLY)
  OneAnswer(`${title}: a body that breaks after the answer gets no second answer`, () =>
    withServer({ settings: AUTHENTICATED }, async ({ port, clock }) => {
      const connection = await sent(port, `${lines}${CHUNKED}\r\n1\r\n{\r\n`)
      await once(connection.socket, 'data')
      connection.socket.write(BROKEN_CHUNK)
      await once(connection.socket, 'end')
      assert.equal(statusesIn(connection), [status])
      clock.advance(2_000)
      await closed(connection)
    }),
  )

OneAnswer('an event stream whose request breaks ends without another answer in it', () =>
  withServer({}, async server => {
    const { app } = await server.create()
    const connection = await sent(server.port, `GET ${app}/statusevents HTTP/1.1\r\n${CHUNKED}\r\n`)
    await until(() => connection.got().includes('event: open'), 'the beginning of the stream')
    connection.socket.write(BROKEN_CHUNK)
    await once(connection.socket, 'end')
    assert.equal(statusesIn(connection), ['200'])
    server.clock.advance(2_000)
    await closed(connection)
  }),
)

OneAnswer('a request that breaks before its answer gets one: 400', () =>
  withServer({}, async ({ port, clock }) => {
    const lines = 'POST /session HTTP/1.1\r\nContent-Type: application/json\r\n'
    const connection = await sent(port, `${lines}${CHUNKED}\r\n1\r\n{\r\n${BROKEN_CHUNK}`)
    await once(connection.socket, 'end')
    assert.equal(statusesIn(connection), ['400'])
    clock.advance(2_000)
    await closed(connection)
  }),
)

OneAnswer('invalid bytes after a call: the answer to the call, and then an error', () => {
  const found = deferred()
  let isAsked = false
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      knownByClientToken: () => null,
      async findByClientToken(token) {
        isAsked = true
        await found.promise
        return sessions.findByClientToken(token)
      },
    })
  return withServer({ wrapSessions }, async server => {
    const { app } = await server.create()
    const connection = await sent(
      server.port,
      `GET ${app}/status HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n`,
    )
    await until(() => isAsked, 'the call')
    await settle(10)
    assert.is(connection.got(), '')
    found.resolve()
    await once(connection.socket, 'end')
    assert.equal(statusesIn(connection), ['200', '400'])
    assert.match(connection.got(), '"INITIALIZED"HTTP/1.1 400 Bad Request')
  })
})

async function withMetrics(page: () => Promise<string>, use: (port: number) => Promise<void>): Promise<void> {
  const server = createMetricsServer({
    readiness: () => null,
    page: async () => ({ type: 'text/plain', text: await page() }),
    clock: createSimulatedClock(0),
    log: { error: console.log },
  })
  const { port } = await server.listen(0, '127.0.0.1')
  try {
    await use(port)
  } finally {
    await server.close()
  }
}

OneAnswer('metrics: invalid bytes after a call: the answer to the call, and then an error', () => {
  const made = deferred()
  let isAsked = false
  const page = async (): Promise<string> => {
    isAsked = true
    await made.promise
    return 'a_total 1\n'
  }
  return withMetrics(page, async port => {
    const connection = await sent(port, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n')
    await until(() => isAsked, 'the call')
    await settle(10)
    assert.is(connection.got(), '')
    made.resolve()
    await once(connection.socket, 'end')
    assert.equal(statusesIn(connection), ['200', '400'])
    assert.match(connection.got(), 'a_total 1\nHTTP/1.1 400 Bad Request')
  })
})

OneAnswer('metrics: a body that breaks after the answer gets no second answer', () =>
  withMetrics(
    async () => '',
    async port => {
      const connection = await sent(port, `POST /metrics HTTP/1.1\r\n${CHUNKED}\r\n`)
      await once(connection.socket, 'data')
      connection.socket.write(BROKEN_CHUNK)
      await once(connection.socket, 'end')
      assert.equal(statusesIn(connection), ['405'])
    },
  ),
)

OneAnswer('metrics: an unknown value of Expect is ignored, as on every listener', () =>
  withMetrics(
    async () => '',
    async port => {
      const lines = 'GET /metrics HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n'
      const connection = await sent(port, lines)
      await once(connection.socket, 'end')
      assert.equal(statusesIn(connection), ['200'])
    },
  ),
)

OneAnswer.run()
