/** All bodies in a node's memory have a common limit in bytes (spec/laws#5; spec/decisions#d16). Above the limit a body is not read, and nothing changes. @module */
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { deferred, elapse, settle, VALID } from '../actors/node.ts'
import { suite } from '../suite.ts'
import {
  appHeaders,
  disclosure,
  type Parts,
  type ServerOfTest,
  type SessionOfTest,
  withMethods,
  withServer,
} from './harness.ts'
import { asking, sent } from './raw-connection.ts'

const Held = suite('bodies in the memory of a node')

/** Longer than a usual body. Long bodies may fill half of the room, so one of them fits, and a second one does not. */
const LONG = 100_000
const ROOM: Parts = { limits: { maxBodyBytes: 2 * LONG + 2_000 } }
const JSON_TYPE = { 'Content-Type': 'application/json' }

async function connected(server: ServerOfTest): Promise<SessionOfTest> {
  const session = await server.create()
  assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 200)
  return session
}

function padded(json: object, length = LONG): string {
  return JSON.stringify(json).padEnd(length)
}

function submit(server: ServerOfTest, { app }: SessionOfTest, body = padded({ proofs: [] })) {
  return server.call('POST', `${app}/proofs`, { headers: appHeaders(), body })
}

/** Sends a body without its last byte. */
function slow(server: ServerOfTest, framing: Record<string, string> = { 'Content-Length': String(LONG) }) {
  const { request, answer } = server.begin('POST', '/session', { ...JSON_TYPE, ...framing })
  request.write(padded(disclosure(), LONG - 1))
  return { request, answer }
}

const room = async (server: ServerOfTest) => (await server.post(padded(disclosure()))).status

Held('above the limit: 503 with Retry-After before a byte is read; short bodies are still accepted', () =>
  withServer(ROOM, async server => {
    const [session, fresh] = [await connected(server), await server.create()]
    const { request, answer } = slow(server)
    await settle()
    for (const [path, headers] of [
      ['/session', JSON_TYPE],
      ['/revocation', JSON_TYPE],
      [`${session.app}/proofs`, appHeaders()],
      [`${session.app}/commitments`, appHeaders()],
      [`${fresh.frontend}/options`, fresh.authorization],
    ] as const) {
      const socket = connectSocket(server.port, '127.0.0.1')
      const lines = Object.entries({ ...headers, 'Content-Length': String(LONG) }).map(line =>
        line.join(': '),
      )
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`)
      const [head] = await once(socket, 'data')
      assert.match(String(head), /^HTTP\/1.1 503 .*\r\nRetry-After: 2\r\n.*"error":"OVERLOADED"/is, path)
      socket.destroy()
    }
    assert.equal([(await server.rowOf(session)).version, (await server.rowOf(fresh)).version], [2, 1])
    assert.is((await server.post(disclosure())).status, 200)
    request.end(' ')
    assert.is((await answer).status, 200)
    assert.is((await submit(server, session)).status, 200)
  }),
)

Held('a refused client may send the rest of its body, and then its connection is closed', () =>
  withServer(ROOM, async server => {
    const { request, answer } = slow(server)
    await settle()
    const socket = connectSocket(server.port, '127.0.0.1')
    let hasEnded = false
    socket.on('end', () => {
      hasEnded = true
    })
    const type = 'Content-Type: application/json'
    socket.write(`POST /session HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${LONG}\r\n\r\n`)
    const [head] = await once(socket, 'data')
    assert.match(String(head), /^HTTP\/1.1 503 /)
    await settle(50)
    assert.not(hasEnded)
    socket.write(' '.repeat(LONG))
    await once(socket, 'end')
    request.end(' ')
    assert.is((await answer).status, 200)
  }),
)

Held('a body without a Content-Length counts with the longest allowed length', () =>
  withServer({ ...ROOM, settings: { limits: { bodyBytes: LONG + 100 } } }, async server => {
    const { request, answer } = slow(server, { 'Transfer-Encoding': 'chunked' })
    await settle()
    assert.is(await room(server), 503)
    request.end(' ')
    assert.is((await answer).status, 200)
    assert.is(await room(server), 200)
  }),
)

Held('an incomplete body is no longer counted', () =>
  withServer(ROOM, async server => {
    const { request, answer } = slow(server)
    await settle()
    const logged = server.log.length
    request.destroy()
    await answer.catch(() => {})
    while (server.log.length === logged) await settle()
    assert.is(await room(server), 200)
  }),
)

/** The head of a call with a long body. The body itself is not sent. */
function longCall({ frontend, authorization }: SessionOfTest): string {
  const lines = Object.entries({ Host: 'x', ...authorization, 'Content-Length': String(LONG) })
  return `POST ${frontend}/options HTTP/1.1\r\n${lines.map(line => line.join(': ')).join('\r\n')}\r\n\r\n`
}

Held('the body of a client that leaves while its session is looked up is not counted', () => {
  const [asked, found] = [deferred(), deferred()]
  const wrapSessions = (sessions: Sessions): Sessions =>
    withMethods(sessions, {
      async findByClientToken(token) {
        asked.resolve()
        await found.promise
        return sessions.findByClientToken(token)
      },
    })
  return withServer({ ...ROOM, wrapSessions }, async server => {
    const { socket } = await sent(server.port, longCall(await server.create()))
    await asked.promise
    const logged = server.log.length
    socket.resetAndDestroy()
    await settle(50)
    found.resolve()
    while (server.log.length === logged) await settle()
    assert.is(await room(server), 200)
  })
})

Held('the body of a client that leaves while its call waits behind an open stream is not counted', () =>
  withServer(ROOM, async server => {
    const session = await server.create()
    const { socket } = await sent(server.port, asking(session) + longCall(session))
    while ((await room(server)) === 200) await settle()
    const logged = server.log.length
    socket.resetAndDestroy()
    while (server.log.length === logged) await settle()
    await settle(50)
    assert.is(await room(server), 200)
  }),
)

for (const [title, end] of Object.entries<(server: ServerOfTest, session: SessionOfTest) => Promise<unknown>>(
  {
    'its outcome': async () => {},
    DELETE: (server, { app }) => server.call('DELETE', app),
  },
))
  Held(
    `the body of a claim counts until the claim ends by ${title}, even if its call was answered before`,
    () => {
      const outcome = deferred()
      const check = () => outcome.promise.then(() => VALID)
      return withServer({ ...ROOM, effects: { check } }, async server => {
        const [session, other] = [await connected(server), await connected(server)]
        const late = submit(server, session)
        while ((await server.rowOf(session)).claim === null) await settle()
        await elapse(server.clock, 15_000)
        assert.is((await late).status, 503)
        let isAnswered = false
        const refused = submit(server, other).finally(() => {
          isAnswered = true
        })
        while (!isAnswered && (await server.rowOf(other)).claim === null) await settle()
        const { version, claim } = await server.rowOf(other)
        assert.equal([version, claim], [2, null])
        assert.is((await refused).status, 503)
        await end(server, session)
        if (title !== 'DELETE') outcome.resolve()
        while ((await server.rowOf(session)).claim !== null) await settle()
        outcome.resolve()
        assert.is(await room(server), 200)
        assert.is((await submit(server, other)).status, 200)
      })
    },
  )

Held.run()
