/** The counters of requests and of event streams. @module */
import type { Meter } from '../../ports/meter.ts'
import { REASONS, type Readiness } from '../readiness.ts'

const REQUEST_SEC = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

const READY = {
  name: 'svc_ready',
  help: '1 while this node should get calls, as GET /health/ready says; else 0',
  labels: [],
} as const
const NOT_READY = {
  name: 'svc_not_ready',
  help: '1 while this reason keeps the node from being ready; else 0',
  labels: ['reason'],
} as const

export type RequestLabels = {
  readonly method: string
  /** as the table of routes has it, with names where the path has tokens; empty: none */
  readonly route: string
  readonly status: string
}

export type OpenStreamCounts = { readonly session: number; readonly revocation: number }

export type HttpFigures = {
  /** @returns to be called when the request is answered; an event stream is answered when it begins */
  readonly begin: () => (labels: RequestLabels) => void
  readonly watchReadiness: (readiness: Pick<Readiness, 'now'>) => void
  readonly watchStreams: (open: () => OpenStreamCounts) => void
}

export function httpFigures(meter: Meter): HttpFigures {
  const requests = meter.durations(
    {
      name: 'svc_http_request_seconds',
      help: 'Time from the head of a request to its answer',
      labels: ['method', 'route', 'status'],
    },
    REQUEST_SEC,
  )
  return {
    begin() {
      const beganAt = meter.now()
      return labels => requests(labels, (meter.now() - beganAt) / 1_000)
    },
    watchReadiness(readiness) {
      meter.gauge(READY, async () => {
        const { reasons } = await readiness.now()
        return [{ labels: {}, value: Object.keys(reasons).length === 0 ? 1 : 0 }]
      })
      meter.gauge(NOT_READY, async () => {
        const { reasons } = await readiness.now()
        return REASONS.map(reason => ({ labels: { reason }, value: reason in reasons ? 1 : 0 }))
      })
    },
    watchStreams: open =>
      meter.gauge(
        { name: 'svc_event_streams', help: 'Event streams that are open', labels: ['kind'] },
        () => {
          const { session, revocation } = open()
          return [
            { labels: { kind: 'session' }, value: session },
            { labels: { kind: 'revocation' }, value: revocation },
          ]
        },
      ),
  }
}
