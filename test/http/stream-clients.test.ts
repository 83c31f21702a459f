/** Event streams with clients that do not behave like a browser's event source, over real sockets (spec/interface#6). Every disconnect releases all resources. @module */
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { deferred, settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withMethods, withServer } from './harness.ts'
import { asking, sent } from './raw-connection.ts'

/** The time limit of idle connections in these tests, which elapses in real time. The usual 65 s would take too long. */
const IDLE = { idleMs: 500 }

const Clients = suite('clients of event streams')

async function becomesTrue(is: () => boolean): Promise<boolean> {
  await until(is, 'it to become true', settle)
  return true
}

function connect(server: ServerOfTest, { app }: SessionOfTest) {
  return server.call('GET', app, { headers: appHeaders() })
}

/** A server that counts the followers of its sessions. */
function withCount(
  use: (server: ServerOfTest, watching: () => number) => Promise<void>,
  limits: { readonly idleMs?: number } = {},
): Promise<void> {
  let watching = 0
  const wrapSessions = (sessions: Sessions): Sessions =>
    withMethods(sessions, {
      follow(...watched) {
        watching += 1
        const stop = sessions.follow(...watched)
        return () => {
          watching -= 1
          stop()
        }
      },
    })
  return withServer({ wrapSessions, settings: { limits: { streams: 32, ...limits } } }, server =>
    use(server, () => watching),
  )
}

Clients('several streams that are requested on one connection are all released when it closes', () =>
  withCount(async (server, watching) => {
    const session = await server.create()
    const { socket, got } = await sent(server.port, asking(session).repeat(3))
    assert.ok(await becomesTrue(() => watching() === 3 && got().includes('event: open')))
    socket.destroy()
    assert.ok(await becomesTrue(() => watching() === 0))
  }),
)

Clients('many streams on one connection cause no warning of Node', () =>
  withCount(async (server, watching) => {
    const warnings: string[] = []
    const note = ({ name }: Error) => void warnings.push(name)
    process.on('warning', note)
    const { socket } = await sent(server.port, asking(await server.create()).repeat(30))
    assert.ok(await becomesTrue(() => watching() === 30))
    socket.destroy()
    assert.ok(await becomesTrue(() => watching() === 0))
    process.off('warning', note)
    assert.equal(warnings, [])
  }),
)

Clients(
  'after a thousand clients that left at different moments, as many streams can be opened as before',
  () =>
    withCount(async (server, watching) => {
      const session = await server.create()
      for (let round = 0; round < 50; round++)
        await Promise.all(
          Array.from({ length: 20 }, async (_, i) => {
            const raw = await sent(server.port, asking(session))
            if (i % 4 === 1) await becomesTrue(() => raw.got() !== '')
            if (i % 4 === 2) await settle()
            if (i % 4 === 3) raw.socket.resetAndDestroy()
            else raw.socket.destroy()
          }),
        )
      assert.ok(await becomesTrue(() => watching() === 0))
      const streams = await Promise.all(
        Array.from({ length: 32 }, () => server.open(`${session.app}/statusevents`)),
      )
      assert.ok(streams.every(({ head }) => head.status === 200))
      for (const stream of streams) stream.leave()
      assert.not.match(server.log.join(''), 'unexpected failure')
    }),
)

Clients('a stream does not begin if its session is read only after the call has got 503', async () => {
  const [held, watched] = [deferred(), new Set<string>()]
  let isSlow = false
  const wrapSessions = (sessions: Sessions): Sessions =>
    withMethods(sessions, {
      follow(...[id, ...told]) {
        watched.add(id)
        const stop = sessions.follow(id, ...told)
        return () => {
          watched.delete(id)
          stop()
        }
      },
      async read(id) {
        if (isSlow) await held.promise
        return sessions.read(id)
      },
    })
  await withServer({ wrapSessions }, async server => {
    const [session, other] = [await server.create(), await server.create()]
    const { socket, got } = await sent(server.port, asking(session))
    assert.ok(await becomesTrue(() => got().includes('event: open')))
    isSlow = true
    socket.write(asking(other))
    assert.ok(await becomesTrue(() => watched.size === 2))
    // the answer waits for the end of the earlier stream on this connection, so it is still open when the session is read
    server.clock.advance(4_000)
    await settle()
    held.resolve()
    assert.ok(await becomesTrue(() => watched.size === 1))
    await server.call('DELETE', session.app)
    assert.ok(await becomesTrue(() => got().includes('HTTP/1.1 503 ')))
    assert.is(got().split('event: open').length, 2)
    socket.destroy()
  })
})

Clients(
  'invalid bytes after the request of a stream close the connection, on which only the stream was written',
  () =>
    withCount(async (server, watching) => {
      const session = await server.create()
      const { socket, got } = await sent(server.port, asking(session))
      assert.ok(await becomesTrue(() => got().endsWith('event: open\n\n\r\n')))
      const head = got()
      socket.write('\0\0 garbage\r\n\r\n')
      assert.ok(await becomesTrue(() => socket.closed))
      assert.is(got(), head)
      assert.ok(await becomesTrue(() => watching() === 0))
    }, IDLE),
)

Clients('a client that closes its half of the connection has left', () =>
  withCount(async (server, watching) => {
    const { socket, got } = await sent(server.port, asking(await server.create()))
    assert.ok(await becomesTrue(() => got().includes('event: open')))
    socket.end()
    assert.ok(await becomesTrue(() => socket.closed && watching() === 0))
  }),
)

Clients(
  'a client of HTTP/1.0 gets the events without chunks, and the end of the connection after the last one',
  () =>
    withCount(async (server, watching) => {
      const session = await server.create()
      const { socket, got } = await sent(server.port, asking(session, '1.0'))
      assert.ok(await becomesTrue(() => got().includes('event: open')))
      await connect(server, session)
      await server.call('DELETE', session.app)
      assert.ok(await becomesTrue(() => socket.closed))
      const [head = '', body] = got().split('\r\n\r\n')
      assert.not.match(head, /chunked/)
      assert.is(body, 'event: open\n\ndata: "CONNECTED"\n\ndata: "CANCELLED"\n\n')
      assert.is(watching(), 0)
    }),
)

Clients('HEAD opens no stream', () =>
  withCount(async (server, watching) => {
    const { got, socket } = await sent(server.port, asking(await server.create(), '1.1', 'HEAD'))
    assert.ok(await becomesTrue(() => got().startsWith('HTTP/1.1 200 ')))
    assert.is(watching(), 0)
    socket.destroy()
  }),
)

/** A revocation that publishes the updates of one type. @returns it, and the listeners for updates */
function toldOfUpdates() {
  const listeners: ((update: RevocationUpdate) => void)[] = []
  const watch = (listener: (update: RevocationUpdate) => void) => {
    listeners.push(listener)
    return () => {}
  }
  const served = { updates: async () => new Map(), events: async () => [], follow: watch, addRecord: null }
  return { listeners, revocation: { served: () => served } }
}

Clients('a client that does not read is disconnected, and its stream no longer counts', () => {
  const { listeners, revocation } = toldOfUpdates()
  return withServer({ revocation, settings: { limits: { streams: 2 } } }, async server => {
    const path = '/svc/revocation/svc-demo.fast.badge/updateevents'
    const reader = await server.open(path)
    const { socket } = await sent(server.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    let closed = false
    const update = { signed: { keyCounter: 0, data: new Uint8Array(2 ** 20) }, events: [] }
    assert.is((await server.open(path)).head.status, 503)
    assert.is(await reader.next(), 'event: open')
    // the buffers of the system hold the first updates
    for (let told = 0; told < 50 && !closed; told++) {
      for (const listener of listeners) listener(update)
      assert.match((await reader.next()) ?? '', /^data: /)
      const next = await server.open(path)
      closed = next.head.status === 200
      next.leave()
    }
    assert.ok(closed)
    socket.destroy()
    reader.leave()
  })
})

Clients.run()
