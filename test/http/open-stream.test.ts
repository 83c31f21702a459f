/** The bytes and the end of one event stream. */
import { EventEmitter } from 'node:events'
import * as assert from 'uvu/assert'
import { type ByteSink, OpenStream, type StreamTarget } from '../../http/open-stream.ts'
import { suite } from '../suite.ts'

const One = suite('one event stream')

/** @param state of the answer that the stream writes to */
function streamOn(state: Partial<ByteSink> = {}) {
  const done: string[] = []
  const out = {
    writableLength: 0,
    writableNeedDrain: false,
    destroyed: false,
    write: (text: string) => done.push(text),
    end: () => done.push('(end)'),
    destroy: () => done.push('(cut)'),
    ...state,
  } as object as ByteSink
  const connection = Object.assign(new EventEmitter(), { destroyed: false })
  const stream = new OpenStream('a', { out, connection } as object as StreamTarget, () => done.push('(over)'))
  return { stream, done, connection }
}

One('an event is written if at most 64 KiB wait for the client; one more byte ends the stream', () => {
  for (const [writableLength, expected] of [
    [2 ** 16, ['head', 'event']],
    [2 ** 16 + 1, ['head', '(cut)', '(over)']],
  ] as const) {
    const { stream, done } = streamOn({ writableLength })
    stream.begin('head')
    stream.send('event')
    assert.equal(done, expected)
  }
})

One('no comment is written while the client has not read the earlier bytes', () => {
  const { stream, done } = streamOn({ writableNeedDrain: true })
  stream.begin('head')
  stream.comment()
  assert.equal(done, ['head'])
  const other = streamOn()
  other.stream.begin('head')
  other.stream.comment()
  assert.equal(other.done, ['head', ':\n'])
})

One('nothing is written before the head of a stream, which may end before that', () => {
  const { stream, done } = streamOn()
  stream.send('event')
  stream.comment()
  stream.end()
  assert.equal(done, ['(over)'])
  const other = streamOn()
  other.stream.drop()
  assert.equal(other.done, ['(over)'])
})

One('a stream ends once, in either way, and nothing is written after that', () => {
  for (const end of ['end', 'drop'] as const) {
    const { stream, done, connection } = streamOn()
    stream.begin('head')
    stream[end]()
    connection.emit('close')
    stream.send('event')
    stream.comment()
    stream.end()
    stream.drop()
    assert.equal(done, ['head', end === 'end' ? '(end)' : '(cut)', '(over)'])
  }
})

One('nothing is written to an answer that was cut off', () => {
  const { stream, done } = streamOn({ destroyed: true })
  stream.begin('head')
  stream.send('event')
  stream.comment()
  stream.end()
  assert.equal(done, ['head', '(over)'])
})

One.run()
