/** The limits of viewers: the number of their messages, the unread bytes, and the time at the end of the server. */
import { EventEmitter, once } from 'node:events'
import * as assert from 'uvu/assert'
import type { WebSocket } from 'ws'
import type { ShownStep } from '../../../actors/inspection/views.ts'
import { Connection } from '../../../http/inspector/connection.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { settle } from '../../actors/node.ts'
import { suite } from '../../suite.ts'
import { socketTo, viewerOf, withInspector } from './harness.ts'

const Viewers = suite('inspector: bounds of a viewer')

const MISTAKEN = { code: 1007, reason: 'expected a message of the inspector, got something else' }
const WRONG: Readonly<Record<string, string>> = {
  'no JSON': '{',
  'no object': '["list"]',
  nothing: 'null',
  'another type': '{"type":"cancel"}',
  'no type': '{}',
  'an id that is no text': '{"type":"find","id":7}',
  'an id that no store accepts': JSON.stringify({ type: 'find', id: 'a\0' }),
  'an id that is too long': JSON.stringify({ type: 'find', id: 'a'.repeat(201) }),
  'a switch that is no boolean': '{"type":"keep","id":"a","isOn":"yes"}',
  'a requestor that is no text': '{"type":"filter","requestor":{}}',
}

for (const [what, text] of Object.entries(WRONG))
  Viewers(`an invalid message ends the connection: ${what}`, () =>
    withInspector(async ({ inspectorPort }) => {
      const viewer = await viewerOf(inspectorPort)
      viewer.send(text)
      assert.equal(await viewer.ended, MISTAKEN)
    }),
  )

Viewers('a binary message ends the connection, and so does any message of the Stately Inspector', () =>
  withInspector(async ({ inspectorPort }) => {
    for (const [path, message] of [
      ['/page', Buffer.from('{"type":"list"}')],
      ['/stately', '{"type":"list"}'],
    ] as const) {
      const socket = socketTo(inspectorPort, { path })
      await once(socket, 'open')
      socket.send(message)
      assert.is((await once(socket, 'close'))[0], 1007, path)
    }
  }),
)

Viewers('a frame of more than 2 KiB ends the connection before it is read', () =>
  withInspector(async ({ inspectorPort }) => {
    const message = (length: number): string => {
      const text = JSON.stringify({ type: 'list', more: '' })
      return text.replace('""', `"${'a'.repeat(length - text.length)}"`)
    }
    const viewer = await viewerOf(inspectorPort)
    viewer.send(message(2_048))
    await viewer.until(() => viewer.all('svc.list').length === 4)
    viewer.send(message(2_049))
    assert.is((await viewer.ended).code, 1009)
  }),
)

Viewers('the 21st message in a second ends the connection', () =>
  withInspector(async ({ inspectorPort, clock }) => {
    const viewer = await viewerOf(inspectorPort)
    const answers = () => viewer.all('svc.path').length
    const ask = async (count: number): Promise<void> => {
      const before = answers()
      for (let i = 0; i < count; i++) viewer.send({ type: 'path', id: 'a' })
      await viewer.until(() => answers() === before + count)
    }
    await ask(20)
    clock.advance(1_000)
    await ask(20)
    viewer.send({ type: 'path', id: 'a' })
    assert.equal(await viewer.ended, {
      code: 1008,
      reason: 'expected at most 20 messages in a second, got more',
    })
  }),
)

Viewers('messages after a binary message are ignored', () =>
  withInspector(async ({ inspectorPort, inspection, create }) => {
    const id = hashOfToken((await create()).clientToken)
    const socket = socketTo(inspectorPort)
    await once(socket, 'open')
    socket.send(Buffer.from('{}'))
    socket.send(JSON.stringify({ type: 'keep', id, isOn: true }))
    assert.is((await once(socket, 'close'))[0], 1007)
    await settle()
    assert.equal(inspection.paths, [])
  }),
)

Viewers('a failure of the store ends the connection of the viewer that asked, and is logged', () =>
  withInspector(async ({ inspectorPort, inspection, inspectorLog }) => {
    const asking = await viewerOf(inspectorPort)
    const other = await viewerOf(inspectorPort)
    inspection.lists = () => Promise.reject(new Error('the store fails'))
    asking.send({ type: 'list' })
    assert.equal(await asking.ended, { code: 1011, reason: 'this server could not answer' })
    inspection.stepped(STEP)
    await other.until(({ type }) => type === 'svc.step')
    assert.match(
      inspectorLog.at(-1) ?? '',
      /"level":40,.*the store fails.*the inspector could not answer a viewer/,
    )
    await other.close()
  }),
)

const STEP: ShownStep = {
  chart: 'session',
  id: 'chosen',
  edges: [],
  before: ['INITIALIZED'],
  actor: null,
  event: { type: 'cancelled', fields: { at: 1 } },
}
/** More steps than fit into the buffers of the kernel and of the process for a client that does not read. */
const MANY = 2 ** 26 / JSON.stringify(STEP).length

Viewers('only a viewer that does not read is disconnected when more than 4 MiB wait for it', () =>
  withInspector(async ({ inspectorPort, inspection, clock }) => {
    const slow = socketTo(inspectorPort)
    await once(slow, 'message')
    slow.send(JSON.stringify({ type: 'choose', id: 'chosen' }))
    await once(slow, 'message')
    await settle()
    slow.pause()
    for (let i = 0; i < MANY && inspection.isFollowed('any'); i++) inspection.stepped(STEP)
    assert.is(inspection.isFollowed('any'), false)
    const other = await viewerOf(inspectorPort)
    clock.advance(1_000) // the slow viewer does not confirm the close either
    await settle()
    slow.resume()
    await once(slow, 'close')
    inspection.stepped(STEP)
    await other.until(({ type }) => type === 'svc.step')
    await other.close()
  }),
)

/** A socket without a peer, and a record of the calls on it. */
function socketOf(unreadBytes: number) {
  const done: unknown[] = []
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: unreadBytes,
    send: () => void done.push('sent'),
    ping: () => void done.push('asked'),
    close: (code: number) => void done.push(code),
    terminate: () => void done.push('cut'),
  })
  const feed = { receive: async () => {}, stop: () => void done.push('stopped') }
  const clock = createSimulatedClock(0)
  const connection = new Connection(socket as object as WebSocket, clock, () => {})
  connection.serve(feed, Promise.resolve())
  return { connection, done, clock, socket }
}

Viewers('exactly 4 MiB may wait for a viewer', () => {
  const most = socketOf(2 ** 22)
  most.connection.send({})
  const more = socketOf(2 ** 22 + 1)
  more.connection.send({})
  assert.equal([most.done, more.done], [['sent'], ['stopped', 1013]])
})

Viewers('a connection ends once, sends nothing after that, and is not cut off if the viewer has left', () => {
  const { connection, done, clock, socket } = socketOf(0)
  connection.close()
  connection.close()
  connection.send({})
  assert.equal(done, ['stopped', 1001])
  socket.emit('close')
  clock.advance(1_000)
  assert.equal(done, ['stopped', 1001, 'stopped'])
})

Viewers('a viewer gets a ping every 30 s, and is cut off if it does not answer within 30 s', () => {
  const { done, clock, socket } = socketOf(0)
  clock.advance(29_999)
  assert.equal(done, [])
  clock.advance(1)
  assert.equal(done, ['asked'])
  clock.advance(29_999)
  socket.emit('pong')
  clock.advance(29_999)
  assert.equal(done, ['asked'])
  clock.advance(1)
  assert.equal(done, ['asked', 'asked'])
  clock.advance(29_999)
  assert.equal(done, ['asked', 'asked'])
  clock.advance(1)
  assert.equal(done, ['asked', 'asked', 'cut'])
})

Viewers('a viewer that has left gets no ping, and is not cut off if it left after a ping', () => {
  const left = socketOf(0)
  left.socket.emit('close')
  left.clock.advance(30_000)
  assert.equal(left.done, ['stopped'])
  const asked = socketOf(0)
  asked.clock.advance(30_000)
  asked.socket.emit('close')
  asked.clock.advance(30_000)
  assert.equal(asked.done, ['asked', 'stopped'])
})

Viewers('a browser answers pings, and stays connected', () =>
  withInspector(async ({ inspectorPort, clock }) => {
    const socket = socketTo(inspectorPort)
    await once(socket, 'open')
    for (let i = 0; i < 3; i++) {
      clock.advance(30_000)
      await once(socket, 'ping')
      await settle()
    }
    assert.is(socket.readyState, socket.OPEN)
    socket.terminate()
  }),
)

Viewers('a stopping server closes the connection of every viewer, and does not wait for a silent one', () =>
  withInspector(async ({ inspectorPort, closeInspector, clock }) => {
    const viewer = await viewerOf(inspectorPort)
    const silent = socketTo(inspectorPort, { path: '/stately' })
    await once(silent, 'open')
    silent.pause()
    const closed = closeInspector()
    assert.equal(await viewer.ended, { code: 1001, reason: 'this server is stopping' })
    await settle()
    let isClosed = false
    void closed.then(() => {
      isClosed = true
    })
    await settle()
    assert.is(isClosed, false)
    clock.advance(1_000)
    await settle()
    assert.is(isClosed, true)
    silent.terminate()
  }),
)
Viewers.run()
