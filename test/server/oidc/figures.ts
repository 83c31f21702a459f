/** The figures of a provider of a test, as Prometheus reads them. @module */
import { prometheusMeter } from '../../../http/metrics/prometheus.ts'
import { createSystemClock, preciseNow } from '../../../ports/clock.ts'
import { type Metrics, metricsOn } from '../../../server/metrics/metrics.ts'

export type FiguresOfTest = {
  readonly metrics: Metrics
  readonly text: () => Promise<string>
  /** NaN: there is no such series */
  readonly value: (series: string) => Promise<number>
}

export function figuresOf(): FiguresOfTest {
  const { meter, page } = prometheusMeter({ clock: createSystemClock(), now: preciseNow, report: () => {} })
  const metrics = metricsOn(meter, { requestors: [], hasAccounts: false, clients: ['shop', 'club'] })
  const text = async (): Promise<string> => (await page()).text
  return {
    metrics,
    text,
    async value(series) {
      const line = (await text()).split('\n').find(each => each.startsWith(`${series} `))
      return line === undefined ? Number.NaN : Number(line.slice(series.length + 1))
    },
  }
}
