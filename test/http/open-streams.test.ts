/** The bounds of open event streams, and the comment lines that keep them open (spec/interface#6; spec/decisions#d28). @module */
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { PassThrough } from 'node:stream'
import * as assert from 'uvu/assert'
import type { RevocationUpdate } from '../../crypto/revocation/accumulator.ts'
import { OpenStreams } from '../../http/open-streams.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { elapse, settle } from '../actors/node.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Open = suite('open event streams')

/** Opens `count` streams of a session, with each spelling of the path in turn. */
async function openMany(server: ServerOfTest, session: SessionOfTest, count: number) {
  const { requestor, app, frontend, authorization } = session
  const open = [
    () => server.open(`${requestor}/statusevents`),
    () => server.clients.open(`${app}/statusevents`),
    () => server.clients.open(`${frontend}/statusevents`, authorization),
  ]
  const opened = Array.from({ length: count }, (_, i) => open[i % 3]?.())
  return (await Promise.all(opened)).filter(stream => stream !== undefined)
}

async function becomesTrue(is: () => boolean | Promise<boolean>): Promise<boolean> {
  await until(is, 'it to become true', settle)
  return true
}

for (const isApart of [false, true])
  Open(
    `at most 32 of one session, in any spelling, ${isApart ? 'at both listeners' : 'at one listener'}`,
    () =>
      withServer({ isApart }, async server => {
        const session = await server.create()
        const [first] = await openMany(server, session, 32)
        for (const { head } of await openMany(server, session, 3))
          assert.equal([head.status, head.headers['retry-after']], [503, '2'])
        const { json } = await server.call('GET', `${session.requestor}/statusevents`)
        assert.equal(json, {
          status: 503,
          error: 'TOO_MANY_STREAMS',
          description: 'Too many open event streams',
          message: 'event streams: expected at most 32 of one session, got more',
        })
        const other = await server.create()
        assert.is((await server.open(`${other.requestor}/statusevents`)).head.status, 200)
        first?.leave()
        const mayOpen = async () => (await openMany(server, session, 1))[0]?.head.status === 200
        assert.ok(await becomesTrue(mayOpen))
      }),
  )

Open('the streams of revocation updates have a separate limit', () => {
  const { revocation } = toldOfUpdates()
  return withServer({ revocation, settings: { limits: { streams: 2 } } }, async server => {
    const path = '/svc/revocation/svc-demo.fast.badge/updateevents'
    for (const expected of [200, 200, 503]) assert.is((await server.open(path)).head.status, expected)
    const session = await server.create()
    for (const expected of [200, 200, 503])
      assert.is((await server.open(`${session.app}/statusevents`)).head.status, expected)
    const { json } = await server.call('GET', `${session.app}/statusevents`)
    assert.equal(
      [Object(json).error, Object(json).message],
      ['TOO_MANY_STREAMS', 'event streams: expected at most 2 at this server, got more'],
    )
  })
})

Open('every stream gets a comment line each 15 s, which is only a colon and a newline', () =>
  withServer({}, async server => {
    const { app } = await server.create()
    const socket = connectSocket(server.port, '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.write(`GET ${app}/statusevents HTTP/1.1\r\nHost: x\r\n\r\n`)
    assert.ok(await becomesTrue(() => text.endsWith('event: open\n\n\r\n')))
    const head = text.length
    await elapse(server.clock, 14_999)
    assert.is(text.length, head)
    for (let i = 1; i <= 3; i++) {
      await elapse(server.clock, i === 1 ? 1 : 15_000)
      await becomesTrue(() => text.length >= head + i * '2\r\n:\n\r\n'.length)
      assert.is(text.slice(head), '2\r\n:\n\r\n'.repeat(i))
    }
    await server.call('GET', app, { headers: appHeaders() })
    assert.ok(await becomesTrue(() => text.endsWith('data: "CONNECTED"\n\n\r\n')))
    socket.destroy()
    await once(socket, 'close')
  }),
)

/** A stream that has begun, without a server. @returns the bytes that it writes */
function openOne(open: OpenStreams, owner: string): PassThrough {
  const wire = new PassThrough()
  open.open(owner, { out: wire, connection: wire }, () => {}).begin('')
  return wire
}

function manyStreams(count: number, max = count) {
  const clock = createSimulatedClock()
  const open = new OpenStreams(clock, max, max)
  const streams = Array.from({ length: count }, () => openOne(open, 'a'))
  return { clock, open, streams }
}

Open('one timer serves all streams: it fires 15 s after the first was opened, and then each 15 s', () => {
  const { clock, streams } = manyStreams(3)
  const read = () => streams.map(stream => String(stream.read()))
  clock.advance(14_999)
  assert.equal(read(), ['null', 'null', 'null'])
  clock.advance(1)
  assert.equal(read(), [':\n', ':\n', ':\n'])
  assert.is(clock.nextTimerAt(), 30_000)
})

Open('a stream that opens or ends meanwhile delays no comment', async () => {
  const { clock, open, streams } = manyStreams(2, 3)
  clock.advance(10_000)
  openOne(open, 'a')
  streams[1]?.destroy()
  await settle()
  clock.advance(5_000)
  assert.is(String(streams[0]?.read()), ':\n')
})

Open('there is no timer without a stream', async () => {
  const { clock, streams } = manyStreams(2)
  streams[0]?.destroy()
  await settle()
  assert.is(clock.nextTimerAt(), 15_000)
  streams[1]?.destroy()
  await settle()
  assert.is(clock.nextTimerAt(), null)
})

Open('a closed stream no longer counts in the limit of its session and in the limit of all', async () => {
  const open = new OpenStreams(createSimulatedClock(), 33, 32)
  const openOf = (owner: string) => openOne(open, owner)
  const first = openOf('a')
  for (let i = 1; i < 32; i++) openOf('a')
  assert.throws(() => openOf('a'), /expected at most 32 of one session/)
  const other = openOf('c')
  assert.throws(() => openOf('b'), /^event streams: expected at most 33 at this server/)
  first.destroy()
  await settle()
  openOf('a')
  other.destroy()
  await settle()
  assert.throws(() => openOf('a'), /expected at most 32 of one session/)
  openOf('b')
})

Open('a client that has already left gets no stream, because no event would end it', async () => {
  const open = new OpenStreams(createSimulatedClock(), 1, 1)
  const wire = new PassThrough()
  wire.destroy()
  await settle()
  assert.throws(() => open.open('a', { out: wire, connection: wire }, () => {}), /the client has left/)
  assert.is(open.count, 0)
})

Open('a stream that has ended and is still read gets no comment and no event: a write would fail', () => {
  const { clock, open, streams } = manyStreams(1)
  const [stream] = streams
  stream?.on('error', () => {})
  open.notify('a', 'x')
  open.closeAll()
  clock.advance(15_000)
  open.notify('a', 'y')
  assert.is(stream?.errored, null)
  assert.is(String(stream?.read()), 'x')
})

Open('a client that does not read gets no further comments', () => {
  const { clock, streams } = manyStreams(1)
  streams[0]?.write('x'.repeat(2 ** 17))
  clock.advance(10 * 15_000)
  assert.is(String(streams[0]?.read()).length, 2 ** 17)
})

Open('many streams get comments, and are closed, in slices, so that other work is not delayed', async () => {
  const { clock, open, streams } = manyStreams(1_000)
  const told = () => streams.filter(stream => stream.readableLength > 0).length
  clock.advance(15_000)
  assert.is(told(), 100)
  await settle()
  assert.is(told(), 1_000)
  const ended = () => streams.filter(({ writableEnded }) => writableEnded).length
  open.closeAll()
  assert.is(ended(), 100)
  await settle()
  assert.is(ended(), 1_000)
})

Open(
  'events for many streams are sent in slices, to each stream in order, and only to streams of the owner',
  async () => {
    const { open, streams } = manyStreams(1_000, 1_001)
    const other = openOne(open, 'b')
    open.notify('a', '1')
    const told = () => streams.filter(stream => stream.readableLength > 0).length
    assert.is(told(), 100)
    open.notify('a', '2')
    assert.is(told(), 100)
    open.closeAll()
    await settle(40)
    assert.ok(streams.every(stream => String(stream.read()) === '12' && stream.writableEnded))
    assert.is(other.read(), null)
  },
)

Open(
  'a client that does not read is disconnected at an event beyond 64 KiB, and one that has left is skipped',
  async () => {
    const { open, streams } = manyStreams(2)
    const [stuck, gone] = streams
    gone?.destroy()
    for (let i = 0; i < 2 ** 10; i++) open.notify('a', 'x'.repeat(2 ** 9))
    await settle()
    assert.equal([stuck?.destroyed, stuck?.errored], [true, null])
  },
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

Open('an update is converted to JSON once, for any number of streams', () => {
  const { listeners, revocation } = toldOfUpdates()
  return withServer({ revocation }, async server => {
    const path = '/svc/revocation/svc-demo.fast.badge/updateevents'
    const streams = await Promise.all([1, 2, 3].map(() => server.open(path)))
    let written = 0
    const signed = {
      keyCounter: 7,
      get data() {
        written += 1
        return new Uint8Array([1])
      },
    }
    for (const listener of listeners) listener({ signed, events: [] })
    for (const { next } of streams)
      assert.equal([await next(), await next()], ['event: open', 'data: {"sacc":{"data":"AQ==","pk":7}}'])
    assert.is(written, 1)
  })
})

Open.run()
