/** The page of the tour reads event streams like the other readers of this project. */
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
  Page(`${what}: the same events as a server reads`, async () => {
    for (const pieces of cuttings(text)) assert.equal(await heard(pieces), events)
  })

Page('an endless event is read only up to the limit, and the stream is closed', async () => {
  let count = 0
  function* endless(): Generator<Uint8Array> {
    for (; count < 1_000; count++) yield Buffer.from('x'.repeat(2 ** 14))
  }
  assert.match(await rejection(heard(endless())), /at most 65536 characters, got more/)
  assert.ok(count < 20, `${count} pieces were read`)
})

/** Chunks that exceed the limit of an event. */
const ENDLESS = {
  'lines of data with comments between them': 'data: x\n:\n',
  'whole, in one piece': `data: ${'x'.repeat(70_000)}\n\n`,
} as const

for (const [what, text] of Object.entries(ENDLESS))
  Page(`an event that is too long is read only up to the limit: ${what}`, async () => {
    const pieces = Array.from({ length: 40_000 }, () => Buffer.from(text)).slice(0, 4_000_000 / text.length)
    assert.match(await rejection(heard(pieces)), /at most 65536 characters, got more/)
  })

Page('events without data are read without a limit', async () => {
  const pieces = Array.from({ length: 20_000 }, () => Buffer.from('event: ping\n\n'))
  assert.equal(await heard([...pieces, Buffer.from('data: "DONE"\n\n')]), ['"DONE"'])
})

Page.run()
