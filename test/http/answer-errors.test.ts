/** The log lines of a call that is answered with an error. If the whole call had arrived, its connection stays open. */
import * as assert from 'uvu/assert'
import { answerErrors } from '../../http/answer-errors.ts'
import { createServer } from '../../http/http-server.ts'
import { SMALL_LISTENER_LIMITS } from '../../http/limits.ts'
import { createSimulatedClock } from '../../ports/simulated-clock.ts'
import { createTraces } from '../../ports/traces.ts'
import { InvalidRequestError, UnavailableError } from '../../protocol/errors.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { StoreError } from '../../stores/store-error.ts'
import { suite } from '../suite.ts'
import { clientOf } from './client.ts'

const Errors = suite('calls that are answered with an error')

/** @returns the status, the fate of the connection, and the error lines of the log */
async function answeredTo(failure: Error): Promise<readonly unknown[]> {
  const errors: string[] = []
  const log = { info() {}, warn() {}, error: (_: unknown, words = '') => errors.push(words) }
  const limits = { ...SMALL_LISTENER_LIMITS, stopMs: 1_000, stopDelayMs: 0, stopIdleMs: 0, streams: 10 }
  const deps = {
    clock: createSimulatedClock(0),
    traces: createTraces(),
    settings: { verbosity: 0, limits, profile: PROFILES.svc },
  }
  const refuse = (): never => {
    throw failure
  }
  const server = createServer(
    { ...deps, log },
    {
      tls: null,
      around: [],
      stop() {},
      mount: app => void app.use(answerErrors({ ...deps, log })).use(refuse),
    },
  )
  const { port } = await server.listen(0, '127.0.0.1')
  const { status, headers } = await clientOf(port).call('GET', '/', { headers: { Connection: 'keep-alive' } })
  await server.close()
  return [status, headers.connection, ...errors]
}

Errors('a bug of this server is logged as an error', async () => {
  assert.equal(await answeredTo(new TypeError('a bug')), [500, 'keep-alive', 'unexpected failure'])
})

Errors('a refusal is not logged as an error, nor is a failure of the store, which logs itself', async () => {
  assert.equal(await answeredTo(new InvalidRequestError('wrong')), [400, 'keep-alive'])
  assert.equal(await answeredTo(new UnavailableError('not now')), [503, 'keep-alive'])
  assert.equal(await answeredTo(new StoreError('store: failed')), [503, 'keep-alive'])
})

Errors.run()
