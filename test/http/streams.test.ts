/** Event streams (spec/interface#6; spec/session-server#12; spec/decisions#d17, #d18, #streams). @module */
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import * as assert from 'uvu/assert'
import type { Sessions, StatusChange } from '../../actors/sessions.ts'
import { deferred, elapse, settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import type { Stream } from './client.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const DEBUG = 20
const Streams = suite('event streams')

function openThree(
  server: ServerOfTest,
  { requestor, app, frontend, authorization }: SessionOfTest,
): Promise<Stream[]> {
  return Promise.all([
    server.open(`${requestor}/statusevents`),
    server.open(`${app}/statusevents`),
    server.open(`${frontend}/statusevents`, authorization),
  ])
}

/** Requestor and frontend get the status in an answer. The app knows it from its own call. */
async function knowAll(server: ServerOfTest, session: SessionOfTest): Promise<void> {
  await server.call('GET', `${session.requestor}/status`)
  await server.call('GET', `${session.frontend}/status`, { headers: session.authorization })
}

function connect(server: ServerOfTest, { app }: SessionOfTest) {
  return server.call('GET', app, { headers: appHeaders() })
}

/** Every frame until the server ends the stream. */
async function rest(stream: Stream): Promise<string[]> {
  const frames: string[] = []
  for (let frame = await stream.next(); frame !== null; frame = await stream.next()) frames.push(frame)
  return frames
}

Streams('the head is exactly that of an event stream, and is sent at once with the open marker', () =>
  withServer({}, async server => {
    for (const { head, next } of await openThree(server, await server.create())) {
      assert.is(head.status, 200)
      assert.is(head.headers['content-type'], 'text/event-stream')
      assert.is(head.headers['cache-control'], 'no-cache, no-store')
      assert.is(head.headers['x-accel-buffering'], 'no')
      assert.is(head.headers.connection, 'keep-alive')
      assert.is(head.headers['access-control-allow-origin'], '*')
      assert.is(head.headers['access-control-allow-methods'], 'GET, OPTIONS')
      assert.is(
        head.headers['access-control-allow-headers'],
        'Keep-Alive,X-Requested-With,Cache-Control,Content-Type,Last-Event-ID',
      )
      assert.is(head.headers.vary, 'Origin')
      assert.is(await next(), 'event: open')
    }
  }),
)

Streams(
  'every change is sent once and in order, in the form of the stream, and a final status ends the stream',
  () =>
    withServer({}, async server => {
      const session = await server.create()
      const streams = await openThree(server, session)
      const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
      const headers = session.authorization
      await server.call('POST', `${session.frontend}/options`, { headers, body })
      await connect(server, session)
      await server.call('POST', `${session.frontend}/pairingcompleted`, { headers })
      await server.call('GET', `${session.app}/request`, { headers: appHeaders() })
      await server.call('POST', `${session.app}/proofs`, { headers: appHeaders(), body: {} })
      const statuses = ['PAIRING', 'CONNECTED', 'DONE']
      const plain = ['event: open', ...statuses.map(status => `data: "${status}"`)]
      const objects = ['event: open', ...statuses.map(status => `data: {"status":"${status}"}`)]
      assert.equal(await Promise.all(streams.map(rest)), [plain, plain, objects])
    }),
)

Streams('the status at the opening is not sent to a caller that has received it; only later ones are', () =>
  withServer({}, async server => {
    const session = await server.create()
    await connect(server, session)
    await knowAll(server, session)
    const streams = await openThree(server, session)
    await server.call('DELETE', session.app)
    const [requestor, app, frontend] = await Promise.all(streams.map(rest))
    assert.equal(requestor, ['event: open', 'data: "CANCELLED"'])
    assert.equal(app, requestor)
    assert.equal(frontend, ['event: open', 'data: {"status":"CANCELLED"}'])
  }),
)

Streams('TIMEOUT is sent at the deadline without any call', () =>
  withServer({}, async server => {
    const session = await server.create({}, { timeout: 60 })
    const streams = await openThree(server, session)
    await elapse(server.clock, 60_000)
    const [requestor, app, frontend] = await Promise.all(streams.map(rest))
    assert.equal(requestor, ['event: open', 'data: "TIMEOUT"'])
    assert.equal(app, requestor)
    assert.equal(frontend, ['event: open', 'data: {"status":"TIMEOUT"}'])
  }),
)

/** Sessions that delay reading until the test resolves `read`. */
function readingLate(sessions: Sessions, read: Promise<void>, watched: () => void): Sessions {
  return {
    ...delegate(sessions),
    follow(...watching) {
      const stop = sessions.follow(...watching)
      watched()
      return stop
    },
    async read(id) {
      await read
      return await sessions.read(id)
    },
  }
}

function delegate(sessions: Sessions): Sessions {
  return {
    requireRoom: () => sessions.requireRoom(),
    open: session => sessions.open(session),
    read: id => sessions.read(id),
    findByClientToken: token => sessions.findByClientToken(token),
    knownByClientToken: token => sessions.knownByClientToken(token),
    findByRequestorToken: token => sessions.findByRequestorToken(token),
    can: (row, event) => sessions.can(row, event),
    turn: (id, decide) => sessions.turn(id, decide),
    call: (id, hash, decide) => sessions.call(id, hash, decide),
    follow: (...watched) => sessions.follow(...watched),
    reserveBody: bytes => sessions.reserveBody(bytes),
    finishClaims: limit => sessions.finishClaims(limit),
    close: () => sessions.close(),
  }
}

Streams('a change while the stream opens is not sent again if the row already contained it', async () => {
  const read = deferred()
  const watched = deferred()
  const wrapSessions = (sessions: Sessions) => readingLate(sessions, read.promise, () => watched.resolve())
  await withServer({ wrapSessions }, async server => {
    const session = await server.create()
    const opening = server.open(`${session.app}/statusevents`)
    await watched.promise
    await connect(server, session)
    read.resolve()
    const stream = await opening
    await server.call('DELETE', session.app)
    assert.equal(await rest(stream), ['event: open', 'data: "CANCELLED"'])
  })
})

Streams('a change between the reading of the row and the head is sent', async () => {
  let tell: (change: StatusChange) => void = () => {}
  const wrapSessions = (sessions: Sessions): Sessions => ({
    ...delegate(sessions),
    follow(_, listener) {
      tell = listener
      return () => {}
    },
    async read(id) {
      const row = await sessions.read(id)
      if (row) {
        const { version, status } = row
        tell({ id, version, oldStatus: status, newStatus: 'PAIRING' })
        tell({ id, version: version + 1, oldStatus: status, newStatus: 'CONNECTED' })
        tell({ id, version: version + 2, oldStatus: 'CONNECTED', newStatus: 'DONE' })
        tell({ id, version: version + 3, oldStatus: 'DONE', newStatus: 'CANCELLED' })
      }
      return row
    },
  })
  await withServer({ wrapSessions }, async server => {
    const session = await server.create()
    const stream = await server.open(`${session.app}/statusevents`)
    assert.equal(await rest(stream), ['event: open', 'data: "CONNECTED"', 'data: "DONE"'])
  })
})

Streams('the stream of a finished session: 204 in svc, 403 UNEXPECTED_REQUEST in irma', async () => {
  for (const [profile, expected] of [
    ['svc', 204],
    ['irma', 403],
  ] as const)
    await withServer({ settings: { profile } }, async server => {
      const session = await server.create()
      await server.call('DELETE', session.app)
      await knowAll(server, session)
      for (const { head } of await openThree(server, session)) assert.is(head.status, expected)
      const answer = await server.call('GET', `${session.app}/statusevents`)
      const error = (answer.json as { error?: string } | undefined)?.error
      assert.is(error, expected === 403 ? 'UNEXPECTED_REQUEST' : undefined)
    })
})

/** Counts the followers of sessions. */
function countingWatchers(count: (by: 1 | -1) => void) {
  return (sessions: Sessions): Sessions => ({
    ...delegate(sessions),
    follow(...watching) {
      count(1)
      const stop = sessions.follow(...watching)
      return () => {
        count(-1)
        stop()
      }
    },
  })
}

Streams('the follower of a client that leaves is removed, and no error is logged', async () => {
  let watching = 0
  const count = (by: 1 | -1) => {
    watching += by
  }
  await withServer({ wrapSessions: countingWatchers(count) }, async server => {
    const session = await server.create()
    const streams = await openThree(server, session)
    assert.is(watching, 3)
    for (const stream of streams) stream.leave()
    while (watching > 0) await settle()
    assert.is((await connect(server, session)).status, 200)
    assert.equal(levelsOf(server.log), [30])
  })
})

Streams('the follower of a client whose connection breaks is removed, too', async () => {
  let watching = 0
  const count = (by: 1 | -1) => {
    watching += by
  }
  await withServer({ wrapSessions: countingWatchers(count) }, async server => {
    const { app } = await server.create()
    const socket = connectSocket(server.port, '127.0.0.1')
    socket.write(`GET ${app}/statusevents HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'data')
    socket.resetAndDestroy()
    while (watching > 0) await settle()
    assert.equal(levelsOf(server.log), [30])
  })
})

/** The different levels of the log lines, without debug. */
function levelsOf(log: readonly string[]): number[] {
  const levels = log.map(line => (JSON.parse(line) as { level: number }).level)
  return [...new Set(levels)].filter(level => level > DEBUG)
}

Streams('503 above the maximum number of open streams; an ended stream no longer counts', () =>
  withServer({ settings: { limits: { streams: 1 } } }, async server => {
    const session = await server.create()
    const other = await server.create()
    const stream = await server.open(`${session.app}/statusevents`)
    const refused = await server.call('GET', `${other.app}/statusevents`)
    assert.is(refused.status, 503)
    assert.is(refused.headers['retry-after'], '2')
    assert.is(refused.headers['content-type'], 'application/json; charset=UTF-8')
    await server.call('DELETE', session.app)
    await rest(stream)
    assert.is((await server.open(`${other.app}/statusevents`)).head.status, 200)
  }),
)

Streams('a refused stream leaves no follower', async () => {
  let watching = 0
  const count = (by: 1 | -1) => {
    watching += by
  }
  await withServer({ wrapSessions: countingWatchers(count) }, async server => {
    const session = await server.create()
    await server.call('DELETE', session.app)
    assert.is((await server.call('GET', `${session.app}/statusevents`)).status, 204)
    await settle()
    assert.is(watching, 0)
  })
})

Streams('a stopping server ends its streams', () =>
  withServer({}, async server => {
    const streams = await openThree(server, await server.create())
    const closed = server.server.close()
    for (const stream of streams) assert.equal(await rest(stream), ['event: open'])
    await closed
  }),
)

Streams.run()
