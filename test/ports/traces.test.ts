import * as assert from 'uvu/assert'
import { createTraces, traceparentOf } from '../../ports/traces.ts'
import { suite } from '../suite.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const traces = createTraces()

const Traces = suite('traces: traceparent (W3C Trace Context, levels 1 and 2)')

Traces('a valid header is continued, with the same trace, a new span and the known flags', () => {
  for (const [flags, kept] of [
    ['00', '00'],
    ['01', '01'],
    ['02', '02'],
    ['03', '03'],
    ['ff', '03'],
  ]) {
    const trace = traces.of(`00-${TRACE}-${PARENT}-${flags}`)
    assert.equal([trace.traceId, trace.flags], [TRACE, kept])
    assert.match(trace.spanId, /^[0-9a-f]{16}$/)
    assert.is.not(trace.spanId, PARENT)
    assert.is(traceparentOf(trace), `00-${TRACE}-${trace.spanId}-${kept}`)
  }
})

Traces('the common part of a later version is used, and the rest is ignored', () => {
  for (const header of [`01-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-01-what-the-future-is`])
    assert.equal(traceparentOf(traces.of(header)).slice(0, 36), `00-${TRACE}-`)
})

const INVALID: Readonly<Record<string, string>> = {
  'no header': '',
  'another text': 'nothing',
  'version ff': `ff-${TRACE}-${PARENT}-01`,
  'more after version 00': `00-${TRACE}-${PARENT}-01-more`,
  'no hyphen before the rest': `01-${TRACE}-${PARENT}-01more`,
  'capitals in the trace id': `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  'capitals in the flags': `00-${TRACE}-${PARENT}-0A`,
  'a short trace id': `00-${TRACE.slice(1)}-${PARENT}-01`,
  'a long parent id': `00-${TRACE}-${PARENT}0-01`,
  'a trace id of zeros': `00-${'0'.repeat(32)}-${PARENT}-01`,
  'a parent id of zeros': `00-${TRACE}-${'0'.repeat(16)}-01`,
  'no flags': `00-${TRACE}-${PARENT}`,
  'two headers in one': `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
  'a line break at the end': `00-${TRACE}-${PARENT}-01\n`,
}

for (const [what, header] of Object.entries(INVALID))
  Traces(`an invalid header is ignored, and a new trace begins: ${what}`, () => {
    const trace = traces.of(header)
    assert.match(traceparentOf(trace), /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-02$/)
    assert.is.not(trace.traceId, TRACE)
    assert.is.not(traces.of(header).traceId, trace.traceId)
  })

Traces('the ids are made of the given random bytes', () => {
  const trace = createTraces(count => new Uint8Array(count).fill(count)).of('')
  assert.is(traceparentOf(trace), `00-${'10'.repeat(16)}-${'08'.repeat(8)}-02`)
})

Traces.run()
