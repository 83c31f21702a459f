/** The only reader of server-sent events: the form of an event, in any chunks, and the limit for its length. */
import * as assert from 'uvu/assert'
import { eventsIn } from '../../ports/event-stream.ts'
import { rejection } from '../faults/rejection.ts'
import { suite } from '../suite.ts'
import { cuttings, STREAMS } from './streams.ts'

const MIB = 2 ** 20

async function heard(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, max = MIB): Promise<string[]> {
  const events: string[] = []
  for await (const data of eventsIn(ReadableStream.from(pieces), max)) events.push(data)
  return events
}

const Streams = suite('reading server-sent events')

for (const [what, text, events] of STREAMS)
  Streams(`${what}: the same events, however the bytes are cut into pieces`, async () => {
    for (const pieces of cuttings(text)) assert.equal(await heard(pieces), events)
  })

Streams('an event is returned as soon as its last line has ended, also by a CR', async () => {
  for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
    const endless = ReadableStream.from(
      (async function* () {
        yield Buffer.from(`data: a${end}`)
        await new Promise(() => {})
      })(),
    )
    const { value } = await eventsIn(endless, MIB).next()
    assert.is(value, 'a')
  }
})

Streams('an empty piece between CR and LF does not make two line ends of them', async () => {
  const pieces = ['data: a\r', '', '\ndata: b\r', '', '\n\r\n'].map(text => Buffer.from(text))
  assert.equal(await heard(pieces), ['a\nb'])
})

const Bounds = suite('the length of a server-sent event')
const TOO_LONG = `EventTooLongError: expected an event of at most ${MIB} characters, got more`

/** Repeats the same chunk as long as the reader reads. */
function endless(piece: string) {
  const bytes = Buffer.from(piece)
  let count = 0
  function* pieces(): Generator<Uint8Array> {
    for (; count < (60 * MIB) / bytes.length; count++) yield bytes
  }
  return { pieces, read: () => count * bytes.length }
}

for (const [what, piece] of [
  ['a line', 'x'.repeat(2 ** 16)],
  ['a line of data', 'data: '.padEnd(2 ** 16, 'x')],
  ['a comment', ':'.repeat(2 ** 16)],
  ['an event of many lines', `data: ${'x'.repeat(2 ** 10)}\n`],
  ['an event with comments between its lines', `:\ndata: ${'x'.repeat(2 ** 10)}\n:\n`],
  ['an event of unknown fields', `x: ${'x'.repeat(2 ** 10)}\r\n`],
] as const)
  Bounds(`${what} of 60 MiB is not read to its end`, async () => {
    const { pieces, read } = endless(piece)
    assert.is(await rejection(heard(pieces())), TOO_LONG)
    assert.ok(read() <= MIB + 4 * 2 ** 16, `${read()} bytes were read`)
  })

Bounds('a line that is too long is refused in one piece too, and the longest line is read', async () => {
  assert.is(await rejection(heard([Buffer.from(`data: ${'x'.repeat(2 * MIB)}\n\n`)])), TOO_LONG)
  const longest = 'x'.repeat(MIB - 'data: '.length)
  assert.equal(await heard([Buffer.from(`data: ${longest}\n\n`)]), [longest])
  assert.is(await rejection(heard([Buffer.from(`data: ${longest}x\n\n`)])), TOO_LONG)
})

Bounds('the number of short events and comments is not limited', async () => {
  const pieces = Array.from({ length: 300 }, () => Buffer.from(':\n:\ndata: a\n\n'))
  assert.is((await heard(pieces, 10)).length, 300)
  const silent = Array.from({ length: 300 }, () => Buffer.from(':\n'))
  assert.equal(await heard(silent, 10), [])
})

Streams.run()
Bounds.run()
