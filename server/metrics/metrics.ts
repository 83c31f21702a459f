/** The counters of the parts of a node. @module */
import { actorFigures, type CountedServer, type Figures } from '../../actors/metrics/figures.ts'
import { type HttpFigures, httpFigures } from '../../http/metrics/figures.ts'
import type { Meter } from '../../ports/meter.ts'
import { packageVersion } from '../version.ts'

export type Metrics = {
  readonly meter: Meter
  readonly actors: Figures
  readonly http: HttpFigures
}

/** Once for each meter. */
export function metricsOn(meter: Meter, server: CountedServer): Metrics {
  const version = packageVersion()
  const build = {
    name: 'svc_build_info',
    help: 'The version that runs, as a label',
    labels: ['version'],
  } as const
  meter.gauge(build, () => [{ labels: { version }, value: 1 }])
  return { meter, actors: actorFigures(meter, server), http: httpFigures(meter) }
}

/** A figure for a number of stored rows. If several nodes share a store, each node shows the same number. */
export function countStored(
  metrics: Metrics | undefined,
  what: { readonly name: string; readonly help: string },
  part: { count(): Promise<number> },
): void {
  const described = { ...what, labels: [] }
  metrics?.meter.gauge(described, async () => [{ labels: {}, value: await part.count() }])
}
