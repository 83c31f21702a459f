/** Opens the metrics of a server if their option is on: the counters, and the listener on which Prometheus reads them. @module */
import { isIPv6 } from 'node:net'
import type { CountedServer } from '../../actors/metrics/figures.ts'
import { createMetricsServer } from '../../http/metrics/server.ts'
import type { Readiness } from '../../http/readiness.ts'
import { preciseNow } from '../../ports/clock.ts'
import type { OnClose } from '../closable.ts'
import { listenAt } from '../listen.ts'
import { unlessOfStore } from '../open-option-store.ts'
import type { World } from '../world.ts'
import { type Metrics, metricsOn } from './metrics.ts'

export type MetricsSettings = {
  /** 0: metrics are off */
  readonly metricsPort: number
  readonly metricsListenAddr: string
}

export type MetricsParts = {
  readonly metrics: Metrics
  /** of the page */
  readonly address: string
}

/** @returns null: the option is off
 *  @throws {SettingsError} about its port or its address */
export async function openMetrics(
  { metricsPort, metricsListenAddr }: MetricsSettings,
  counted: CountedServer,
  { clock, log }: Pick<World, 'clock' | 'log'>,
  onClose: OnClose,
): Promise<MetricsParts | null> {
  if (metricsPort === 0) return null
  const { prometheusMeter } = await import('../../http/metrics/prometheus.ts') // loaded only if metrics are on
  const report = unlessOfStore((figure: string, err) =>
    log.warn({ figure, err }, 'a figure could not be read'),
  )
  const { meter, page } = prometheusMeter({ clock, now: preciseNow, report })
  let readiness: Pick<Readiness, 'now'> | null = null
  const server = createMetricsServer({ page, readiness: () => readiness, log, clock })
  onClose(() => server.close())
  const { address, port } = await listenAt(server, {
    port: { option: 'metrics_port', value: metricsPort },
    address: { option: 'metrics_listen_addr', value: metricsListenAddr },
  })
  const metrics = metricsOn(meter, counted)
  const watchReadiness: Metrics['http']['watchReadiness'] = ofNode => {
    readiness = ofNode
    metrics.http.watchReadiness(ofNode)
  }
  return {
    metrics: { ...metrics, http: { ...metrics.http, watchReadiness } },
    address: `http://${isIPv6(address) ? `[${address}]` : address}:${port}/metrics`,
  }
}
