/** Event streams of other servers: their data, and every bound. @module */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { createEventSource } from '../../ports/event-source.ts'
import { createSimulatedClock, type SimulatedClock } from '../../ports/simulated-clock.ts'
import { elapse } from '../actors/node.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { cuttings, STREAMS } from './streams.ts'

const STREAM = { 'Content-Type': 'text/event-stream' }

type World = { readonly listen: (stop?: AbortSignal) => Promise<string[]>; readonly clock: SimulatedClock }

/** Another server with the answer of the test. */
async function withOther(answer: (response: ServerResponse) => void, use: (world: World) => Promise<void>) {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // the server listens on a port
  const clock = createSimulatedClock()
  const listenTo = createEventSource({ fetch, clock })
  const listen = async (stop = new AbortController().signal): Promise<string[]> => {
    const heard: string[] = []
    for await (const data of listenTo(`http://127.0.0.1:${port}/secret`, stop)) heard.push(data)
    return heard
  }
  try {
    await use({ listen, clock })
    assert.is(clock.nextTimerAt(), null, 'no timer stays')
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Advances time until the work has failed. @returns the failure */
async function failureInTime(clock: SimulatedClock, work: Promise<unknown>): Promise<string> {
  let failure: string | undefined
  const failing = rejection(work).then(text => {
    failure = text
  })
  while (failure === undefined) await elapse(clock, 10_000)
  await failing
  assert.not.match(failure, /secret|127\.0\.0\.1/)
  return failure
}

const Streams = suite('event streams of other servers')

Streams('only the data of events is returned, not names, comments and events without data', () => {
  const text =
    'event: open\n\n: comment\ndata: {"a":1}\n\nevent: x\r\ndata:one\r\ndata: two\r\n\r\ndata: unfinished'
  const answer = (response: ServerResponse): void => {
    response.writeHead(200, STREAM)
    for (const part of [text.slice(0, 30), text.slice(30)]) response.write(part)
    response.end()
  }
  return withOther(answer, async ({ listen }) => {
    assert.equal(await listen(), ['{"a":1}', 'one\ntwo'])
  })
})

for (const [what, text, events] of STREAMS)
  Streams(`${what}: the same events`, async () => {
    for (const pieces of cuttings(text)) {
      const fetch = async () => new Response(ReadableStream.from(pieces), { headers: STREAM })
      const heard: string[] = []
      const listenTo = createEventSource({ fetch, clock: createSimulatedClock() })
      for await (const data of listenTo('http://a.example', new AbortController().signal)) heard.push(data)
      assert.equal(heard, events)
    }
  })

Streams('another status or type, and an address that is not http or https, are refused', async () => {
  const answers: readonly [number, Record<string, string>][] = [
    [404, STREAM],
    [200, { 'Content-Type': 'text/html' }],
    [302, { Location: '/other', ...STREAM }],
  ]
  for (const [status, headers] of answers)
    await withOther(
      response => response.writeHead(status, headers).end('data: x\n\n'),
      async ({ listen }) => {
        assert.is(await rejection(listen()), `OutgoingError: expected an event stream, got status ${status}`)
      },
    )
  const listenTo = createEventSource({ fetch, clock: createSimulatedClock() })
  const odd = listenTo('ftp://secret', new AbortController().signal)[Symbol.asyncIterator]().next()
  assert.match(await rejection(odd), /^OutgoingError: expected an http or https address/)
})

Streams('the length of an event is limited', () => {
  const answer = (response: ServerResponse): void =>
    void response.writeHead(200, STREAM).end('data: '.padEnd(2 ** 20 + 99))
  return withOther(answer, async ({ listen }) => {
    assert.match(await rejection(listen()), /at most 1048576 characters, got more/)
  })
})

Streams('the call ends if the server does not answer within 4 s, or is silent for 3 minutes', async () => {
  const goesOn = /^OutgoingError: expected an open event stream, got a broken connection$/
  await withOther(
    () => {},
    async ({ listen, clock }) => assert.match(await failureInTime(clock, listen()), goesOn),
  )
  await withOther(
    response => response.writeHead(200, STREAM).write('event: open\n\n'),
    async ({ listen, clock }) => assert.match(await failureInTime(clock, listen()), goesOn),
  )
})

Streams('a stream with an event or a comment every two minutes stays open', async () => {
  const clock = createSimulatedClock()
  async function* texts(): AsyncGenerator<Uint8Array> {
    for (const text of ['data: a\n\n', ':\n', ':\n', 'data: b\n\n']) {
      clock.advance(2 * 60_000)
      yield Buffer.from(text)
    }
  }
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const body = texts()
    init?.signal?.addEventListener('abort', () => void body.throw(new Error('aborted')).catch(() => {}))
    return new Response(ReadableStream.from(body), { headers: STREAM })
  }
  const events: string[] = []
  const listenTo = createEventSource({ fetch, clock })
  for await (const data of listenTo('http://a.example', new AbortController().signal)) events.push(data)
  assert.equal(events, ['a', 'b'])
  assert.is(clock.nextTimerAt(), null)
})

Streams('a stream ends without an error when this server stops', async () => {
  const stop = new AbortController()
  await withOther(
    response => {
      response.writeHead(200, STREAM).write('data: x\n\n')
      stop.abort()
    },
    async ({ listen }) => {
      await listen(stop.signal)
      assert.equal(await listen(stop.signal), [])
    },
  )
})

Streams.run()
