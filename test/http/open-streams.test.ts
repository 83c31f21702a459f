/** How many event streams may be open, and what keeps them open (spec 6; D28). @module */
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import type { PassThrough } from 'node:stream'
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../actors/clock.ts'
import { OpenStreams } from '../../http/open-streams.ts'
import { elapse, settle } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Open = suite('open event streams')

/** Opens that many streams of a session, of each spelling in turn. */
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

/** Looks again after other work has had its turns, and stops looking long before the time limit of a test. */
async function becomesTrue(is: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < 200; looks++) {
    if (await is()) return true
    await settle()
  }
  return false
}

for (const isApart of [false, true])
  Open(`32 of one session, whatever their spelling, ${isApart ? 'at both listeners' : 'at one'}`, () =>
    withServer({ isApart }, async server => {
      const session = await server.create()
      const [first] = await openMany(server, session, 32)
      for (const { head } of await openMany(server, session, 3))
        assert.equal([head.status, head.headers['retry-after']], [503, '2'])
      const other = await server.create()
      assert.is((await server.open(`${other.requestor}/statusevents`)).head.status, 200)
      first?.leave()
      const mayOpen = async () => (await openMany(server, session, 1))[0]?.head.status === 200
      assert.ok(await becomesTrue(mayOpen))
    }),
  )

Open('the streams of revocation updates are bounded apart from those of sessions', () => {
  const watch = () => () => {}
  const served = { updates: async () => new Map(), events: async () => [], watch, addRecord: null }
  const revocation = { served: () => served }
  return withServer({ revocation, settings: { limits: { streams: 2 } } }, async server => {
    const path = '/svc/revocation/svc-demo.fast.badge/updateevents'
    for (const expected of [200, 200, 503]) assert.is((await server.open(path)).head.status, expected)
    const session = await server.create()
    for (const expected of [200, 200, 503])
      assert.is((await server.open(`${session.app}/statusevents`)).head.status, expected)
  })
})

Open('every stream has a comment line each 15 s, and nothing else of it: a colon and a newline', () =>
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

/** Streams without a server. */
function manyStreams(count: number) {
  const clock = createSimulatedClock()
  const open = new OpenStreams(clock, count)
  const streams: PassThrough[] = Array.from({ length: count }, () => open.open(null, () => () => {}))
  return { clock, open, streams }
}

Open('one timer serves all streams: it is over 15 s after the first was opened, then each 15 s', () => {
  const { clock, streams } = manyStreams(3)
  const read = () => streams.map(stream => String(stream.read()))
  clock.advance(14_999)
  assert.equal(read(), ['null', 'null', 'null'])
  clock.advance(1)
  assert.equal(read(), [':\n', ':\n', ':\n'])
  assert.is(clock.nextTimerAt(), 30_000)
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

Open('a stream that closes makes room, in the bound of its session and in that of all', async () => {
  const open = new OpenStreams(createSimulatedClock(), 33)
  const openOf = (owner: string | null) => open.open(owner, () => () => {})
  const first = openOf('a')
  for (let i = 1; i < 32; i++) openOf('a')
  assert.throws(() => openOf('a'), /expected at most 32 of one session/)
  const other = openOf(null)
  assert.throws(() => openOf('b'), 'too many open event streams')
  first.destroy()
  await settle()
  openOf('a')
  other.destroy()
  await settle()
  assert.throws(() => openOf('a'), /expected at most 32 of one session/)
  openOf('b')
})

Open('a stream that has ended and is still read gets no comment, which would break it', () => {
  const { clock, streams } = manyStreams(1)
  const [stream] = streams
  stream?.on('error', () => {}).end('x')
  clock.advance(15_000)
  assert.is(stream?.errored, null)
  assert.is(String(stream?.read()), 'x')
})

Open('a client that reads nothing is sent no comments without end', () => {
  const { clock, streams } = manyStreams(1)
  streams[0]?.write('x'.repeat(2 ** 17))
  clock.advance(10 * 15_000)
  assert.is(String(streams[0]?.read()).length, 2 ** 17)
})

Open('many streams are closed, and told, in slices: others get their turn', async () => {
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

Open.run()
