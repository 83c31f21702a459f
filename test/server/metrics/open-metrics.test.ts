/** The listener of metrics of a running server: it shows the readiness of the node that is built after it. @module */
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../../ports/clock.ts'
import { openMetrics } from '../../../server/metrics/open-metrics.ts'
import { freePort } from '../../cli/run-svc.ts'
import { suite } from '../../suite.ts'

const Open = suite('the listener of metrics of a running server')

Open('GET /health/ready is 503 until the node is built, and then the answer of the node', async () => {
  const closers: (() => unknown)[] = []
  const [clock, log] = [createSystemClock(), pino({ level: 'silent' })]
  const counted = { requestors: [], hasAccounts: false }
  const settings = { metricsPort: await freePort(), metricsListenAddr: '127.0.0.1' }
  const opened = await openMetrics(settings, counted, { clock, log }, close => closers.push(close))
  const warnings = async (): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${settings.metricsPort}/health/ready`)
    return [answer.status, Object(await answer.json()).warnings]
  }
  assert.equal(await warnings(), [503, {}])
  const state = { reasons: {}, warnings: {}, namedWarnings: { keys: 'svc-demo.old' } }
  opened?.metrics.http.watchReadiness({ now: async () => state })
  assert.equal(await warnings(), [200, { keys: 'svc-demo.old' }])
  for (const close of closers) await close()
})

Open.run()
