/** The time limits of an arriving request and of a revocation. Node measures those of a request with the system clock. @module */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { deferred, settle } from '../actors/node.ts'
import { inTime } from '../patience.ts'
import { suite } from '../suite.ts'
import { tlsPair } from '../tls.ts'
import { withServer } from './harness.ts'

const TLS = tlsPair()
const Slow = suite('time limits')

/** The Node server that receives the first request of `send`. */
async function listenerDuring(send: () => Promise<unknown>): Promise<Server> {
  const listeners: Server[] = []
  const note = (message: unknown): void => {
    listeners.push((message as { server: Server }).server) // the type is documented for this channel
  }
  subscribe('http.server.request.start', note)
  await send()
  unsubscribe('http.server.request.start', note)
  const [listener] = listeners
  if (!listener) throw new Error('expected a request, got none')
  return listener
}

Slow('a connection without a byte in either direction is closed after 65 s', () =>
  withServer({}, async server => {
    const listener = await listenerDuring(() => server.call('GET', '/health'))
    assert.is(listener.timeout, 65_000)
  }),
)

Slow('a TLS handshake that does not end is cut off after the time limit of a head', () => {
  return withServer({ settings: { tls: TLS, limits: { readingMs: 200 } } }, async server => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    await inTime(once(socket, 'close'), 'the end of the connection')
  })
})

Slow('Node allows 10 s for the head of a request, and 20 s for a whole request that no endpoint reads', () =>
  withServer({}, async server => {
    const listener = await listenerDuring(() => server.call('GET', '/health'))
    assert.equal([listener.headersTimeout, listener.requestTimeout], [10_000, 20_000])
  }),
)

Slow(
  'a head that does not end is answered with 503 within seconds after its time limit, not after 30 s',
  () => {
    return withServer({ settings: { limits: { readingMs: 200 } } }, async server => {
      const socket = connect(server.port, '127.0.0.1')
      socket.write('GET /health HTTP/1.1\r\n')
      const [answer] = await inTime(once(socket, 'data'), 'an answer')
      assert.match(String(answer), /^HTTP\/1\.1 503 [\s\S]*the request did not arrive in time/)
      socket.destroy()
    })
  },
)

Slow('a revocation that has not ended after 15 s is answered with 503', () => {
  const begun = deferred()
  const revoke = (): Promise<void> => {
    begun.resolve()
    return new Promise(() => {})
  }
  const settings = { permissions: { revokePerms: ['*'] } }
  return withServer({ revocation: { revoke }, settings }, async server => {
    const headers = { 'Content-Type': 'application/json' }
    const context = 'https://svc.example/ld/request/revocation/v1'
    const body = { '@context': context, type: 'svc-demo.fast.badge', revocationKey: 'k' }
    let isAnswered = false
    const answer = server.call('POST', '/revocation', { headers, body }).finally(() => {
      isAnswered = true
    })
    await begun.promise
    server.clock.advance(14_999)
    await settle(100)
    assert.is(isAnswered, false)
    server.clock.advance(1)
    const { status, json } = await answer
    assert.equal([status, Object(json).error], [503, 'INTERNAL_ERROR'])
  })
})

Slow.run()
