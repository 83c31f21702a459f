/** The figures of scheme updates: the times of the last look and of the last update of each scheme, and the failures. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Meter } from '../../ports/meter.ts'
import { FAILURES, type Failure } from './update-job.ts'

export type UpdateFigures = {
  checked(scheme: string): void
  taken(scheme: string): void
  failed(scheme: string, cause: Failure): void
}

/** @param schemes of the start */
export function updateFigures(
  meter: Meter,
  clock: Pick<Clock, 'wallNow'>,
  schemes: readonly string[],
): UpdateFigures {
  const failures = meter.counter(
    {
      name: 'svc_scheme_update_failures_total',
      help: 'Times that a scheme could not be brought up to date',
      labels: ['scheme', 'cause'],
    },
    schemes.flatMap(scheme => FAILURES.map(cause => ({ scheme, cause }))),
  )
  const nowSec = (): number => clock.wallNow() / 1_000
  const timesOf = (name: string, help: string): Map<string, number> => {
    const times = new Map(schemes.map(scheme => [scheme, nowSec()]))
    meter.gauge({ name, help, labels: ['scheme'] }, () =>
      [...times].map(([scheme, value]) => ({ labels: { scheme }, value })),
    )
    return times
  }
  const checked = timesOf(
    'svc_scheme_checked_timestamp_seconds',
    'Unix time at which a scheme was last found up to date, or read at the start',
  )
  const taken = timesOf(
    'svc_scheme_updated_timestamp_seconds',
    'Unix time at which the version of a scheme that is in use was taken or read',
  )
  return {
    checked: scheme => void checked.set(scheme, nowSec()),
    taken: scheme => void taken.set(scheme, nowSec()),
    failed: (scheme, cause) => failures({ scheme, cause }),
  }
}
