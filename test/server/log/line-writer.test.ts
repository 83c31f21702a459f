/** Lines of a log that are written together. @module */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { LineWriter } from '../../../server/log/line-writer.ts'
import { suite } from '../../suite.ts'

const INFO = 30
const WARN = 40

function writerOfTest() {
  const written: string[] = []
  const clock = createSimulatedClock()
  const writer = new LineWriter(text => written.push(text), clock)
  return { written, clock, writer }
}

const Lines = suite('the lines of a log')

Lines('the lines of a tenth of a second are written together, in their order', () => {
  const { written, clock, writer } = writerOfTest()
  writer.write('a\n', INFO)
  clock.advance(60)
  writer.write('b\n', INFO)
  clock.advance(39)
  assert.equal(written, [])
  clock.advance(1)
  assert.equal(written, ['a\nb\n'])
  writer.write('c\n', INFO)
  clock.advance(100)
  assert.equal(written, ['a\nb\n', 'c\n'])
})

Lines('a warning is written at once, behind the lines before it', () => {
  const { written, clock, writer } = writerOfTest()
  writer.write('a\n', INFO)
  writer.write('w\n', WARN)
  assert.equal(written, ['a\nw\n'])
  assert.is(clock.nextTimerAt(), null)
})

Lines('16,384 characters are written at once', () => {
  const { written, writer } = writerOfTest()
  const line = `${'x'.repeat(2 ** 13 - 1)}\n`
  writer.write(line, INFO)
  assert.equal(written, [])
  writer.write(line, INFO)
  assert.equal(written, [line + line])
})

Lines('no line is written twice, and nothing is written if no line waits', () => {
  const { written, clock, writer } = writerOfTest()
  writer.flush()
  writer.write('a\n', INFO)
  writer.flush()
  writer.flush()
  clock.advance(1_000)
  assert.equal(written, ['a\n'])
})

Lines.run()
