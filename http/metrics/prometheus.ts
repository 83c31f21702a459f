/** The one file that knows the format of Prometheus: a meter whose figures are a page of text. It has a registry of its own, so that two servers of one process
 *  do not share theirs. @module */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../../ports/clock.ts'
import type { Meter } from '../../ports/meter.ts'
import { within } from '../limit-time.ts'

/** The longest time for collecting one figure: Prometheus gives up on the whole page after 10 s. */
const READ_MS = 2_000
/** The figures of Node itself that are left out: they list every open connection, and their names say that they are counters, which they are not. */
const LEFT_OUT = ['handles', 'requests', 'resources'].flatMap(what => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

export type Page = { readonly type: string; readonly text: string }

export type PrometheusMeter = {
  readonly meter: Meter
  /** Callers that ask at the same time get the same page. */
  readonly page: () => Promise<Page>
}

export type PrometheusDeps = {
  readonly clock: Clock
  /** as of a meter */
  readonly now: () => number
  /** receives the reason why a figure is left out, for a log */
  readonly report: (name: string, error: unknown) => void
}

export function prometheusMeter({ clock, now, report }: PrometheusDeps): PrometheusMeter {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of LEFT_OUT) registry.removeSingleMetric(name)
  let asked: Promise<Page> | null = null

  const meter: Meter = {
    now,
    counter({ name, help, labels }, known) {
      const counter = new Counter({ name, help, labelNames: labels, registers })
      for (const each of known) counter.inc(each, 0)
      return each => counter.inc(each)
    },
    durations({ name, help, labels }, bucketsSec) {
      const buckets = [...bucketsSec]
      const histogram = new Histogram({ name, help, labelNames: labels, buckets, registers })
      return (each, seconds) => histogram.observe(each, Math.max(seconds, 0))
    },
    gauge({ name, help, labels }, read) {
      const collect = async (): Promise<void> => {
        gauge.reset()
        try {
          const samples = await within(clock, READ_MS, name, Promise.resolve(read()))
          for (const each of samples) gauge.set(each.labels, each.value)
        } catch (error) {
          if (labels.length === 0) gauge.remove() // or it would be shown as 0
          report(name, error)
        }
      }
      const gauge: Gauge = new Gauge({ name, help, labelNames: labels, registers, collect })
    },
  }

  async function make(): Promise<Page> {
    return { type: registry.contentType, text: await registry.metrics() }
  }

  return {
    meter,
    page() {
      asked ??= make().finally(() => {
        asked = null
      })
      return asked
    },
  }
}
