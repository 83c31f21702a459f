/** The page of the tour reads event streams as everyone here does. */
import * as assert from 'uvu/assert'
import { rejection } from '../faults/rejection.ts'
import { cuttings, STREAMS } from '../ports/streams.ts'
import { suite } from '../suite.ts'
import { servedPage } from './served-page.ts'

const { eventsOf } = await servedPage('event-stream.js')

async function heard(pieces: Iterable<Uint8Array>): Promise<string[]> {
  const events: string[] = []
  for await (const data of eventsOf(ReadableStream.from(pieces))) events.push(data)
  return events
}

const Page = suite('demo: event streams of the page')

for (const [what, text, events] of STREAMS)
  Page(`${what}: the same events as a server hears`, async () => {
    for (const pieces of cuttings(text)) assert.equal(await heard(pieces), events)
  })

Page('an event without end is not read to its end, and the stream is left', async () => {
  let count = 0
  function* endless(): Generator<Uint8Array> {
    for (; count < 1_000; count++) yield Buffer.from('x'.repeat(2 ** 14))
  }
  assert.match(await rejection(heard(endless())), /at most 65536 characters, got more/)
  assert.ok(count < 20, `${count} pieces were read`)
})

Page.run()
