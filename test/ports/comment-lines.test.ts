/** Every client in this project ignores comment lines in event streams (spec/decisions#d28): the server that follows another one, and the page of the tour. The client of
 *  the wallet is tested in wallet/pairing.test.ts. @module */
import * as assert from 'uvu/assert'
import { createEventSource } from '../../ports/event-source.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { servedPage } from '../demo/served-page.ts'
import { suite } from '../suite.ts'

const Comments = suite('comment lines in event streams')
const TEXT = 'event: open\n\n:\n:\ndata: "PAIRING"\n\n:\ndata: "DONE"\n\n:\n'
const EVENTS = ['"PAIRING"', '"DONE"']

/** In one chunk, and byte by byte. */
function bodies(): ReadableStream<Uint8Array>[] {
  const bytes = new TextEncoder().encode(TEXT)
  return [[bytes], Array.from(bytes, byte => Uint8Array.of(byte))].map(pieces => ReadableStream.from(pieces))
}

async function all(events: AsyncIterable<string>): Promise<string[]> {
  const got: string[] = []
  for await (const event of events) got.push(event)
  return got
}

Comments('a server that follows another one gets only the events', async () => {
  for (const body of bodies()) {
    const fetch = async () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
    const listenTo = createEventSource({ fetch, clock: createSimulatedClock() })
    assert.equal(await all(listenTo('http://a.example', new AbortController().signal)), EVENTS)
  }
})

Comments('the page of the tour gets only the events', async () => {
  const { eventsOf } = await servedPage('event-stream.js')
  for (const body of bodies()) assert.equal(await all(eventsOf(body)), EVENTS)
})

Comments.run()
