/** Failures after an answer has begun: no status can report them any more, so the log does. */
import { once } from 'node:events'
import { get } from 'node:http'
import { Readable } from 'node:stream'
import * as assert from 'uvu/assert'
import { createServer } from '../../http/http-server.ts'
import { SMALL_LISTENER_LIMITS } from '../../http/limits.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createTraces } from '../../ports/traces.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { StoreError } from '../../stores/store-error.ts'
import { suite } from '../suite.ts'

const Late = suite('failures of answers that have begun')

/** @returns the error lines of the log if the body of an answer fails after its first bytes */
async function errorsOf(failure: Error): Promise<readonly string[]> {
  const errors: string[] = []
  const log = { info() {}, warn() {}, error: (_: unknown, words = '') => errors.push(words) }
  const limits = { ...SMALL_LISTENER_LIMITS, stopMs: 1_000, stopDelayMs: 0, stopIdleMs: 0, streams: 10 }
  const deps = {
    clock: createSimulatedClock(0),
    traces: createTraces(),
    settings: { verbosity: 0, limits, profile: PROFILES.svc },
  }
  const body = async function* () {
    yield 'the first bytes'
    throw failure
  }
  const server = createServer(
    { ...deps, log },
    {
      tls: null,
      around: [],
      stop() {},
      mount: app =>
        void app.use(ctx => {
          ctx.body = Readable.from(body())
        }),
    },
  )
  const { port } = await server.listen(0, '127.0.0.1')
  const [answer] = await once(get(`http://127.0.0.1:${port}/`), 'response')
  answer.resume().on('error', () => {}) // the answer is cut off
  await new Promise(resolve => answer.once('close', resolve))
  await server.close()
  return [...new Set(errors)] // Koa reports a failed body twice
}

Late('a bug of this server is logged as an error', async () => {
  assert.equal(await errorsOf(new TypeError('a bug')), ['unexpected failure'])
})

Late(
  'a failure of the store, which logs itself, and a client that left are not logged as errors',
  async () => {
    assert.equal(await errorsOf(new StoreError('store: failed')), [])
    assert.equal(await errorsOf(Object.assign(new Error('gone'), { code: 'ECONNRESET' })), [])
  },
)

Late.run()
