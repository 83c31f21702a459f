/** The figures of scheme updates: when each scheme was looked at and brought up to date, and what failed. @module */
import type { Clock } from '../../ports/clock.ts'
import type { Meter } from '../../ports/meter.ts'
import { FAILURES, type Failure } from './update-job.ts'

export type UpdateFigures = {
  checked(scheme: string): void
  taken(scheme: string): void
  failed(scheme: string, cause: Failure): void
}

/** @param schemes whose servers are asked */
export function updateFigures(
  meter: Meter,
  clock: Pick<Clock, 'wallNow'>,
  schemes: readonly string[],
): UpdateFigures {
  const known = schemes.flatMap(scheme => FAILURES.map(cause => ({ scheme, cause })))
  const failures = meter.counter(
    {
      name: 'svc_scheme_update_failures_total',
      help: 'Times that a scheme could not be brought up to date',
      labels: ['scheme', 'cause'],
    },
    known,
  )
  const checked = times(
    meter,
    'svc_scheme_checked_timestamp_seconds',
    'Unix time at which a scheme was last found up to date',
  )
  const taken = times(
    meter,
    'svc_scheme_updated_timestamp_seconds',
    'Unix time at which a newer version of a scheme was last taken',
  )
  const nowSec = (): number => clock.wallNow() / 1_000
  return {
    checked: scheme => void checked.set(scheme, nowSec()),
    taken: scheme => void taken.set(scheme, nowSec()),
    failed: (scheme, cause) => failures({ scheme, cause }),
  }
}

function times(meter: Meter, name: string, help: string): Map<string, number> {
  const byScheme = new Map<string, number>()
  meter.gauge({ name, help, labels: ['scheme'] }, () =>
    [...byScheme].map(([scheme, value]) => ({ labels: { scheme }, value })),
  )
  return byScheme
}
