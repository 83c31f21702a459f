/** Periodic work of an OpenID provider. Every node runs it. @module */
import type { Clock } from '../../ports/clock.ts'
import { Rounds } from '../revocation/rounds.ts'
import type { KeyRing } from './key-ring.ts'
import type { OidcRecords } from './records.ts'

export type OidcTasksDeps = {
  readonly records: Pick<OidcRecords, 'dropExpired'>
  readonly keyRing: Pick<KeyRing, 'refresh'>
  readonly countTimeouts: () => Promise<void>
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
  /** receives failures, for a log */
  readonly report: (task: string, error: unknown) => void
}

/** Much shorter than the time that a key is published before it signs (key-rotation.ts). */
const REFRESH_MS = 2_000
/** Expired records are not found any more, so this only frees their space. */
const DROP_MS = 10_000
/** Shorter than the time before the end of a login at which it is looked up (open-logins.ts). */
const COUNT_MS = 1_000

/** @returns a function that ends the work, and waits for a running round */
export function startOidcTasks({
  records,
  keyRing,
  countTimeouts,
  clock,
  report,
}: OidcTasksDeps): () => Promise<void> {
  const rounds = new Rounds(clock)
  rounds.every(
    REFRESH_MS,
    () => keyRing.refresh(),
    error => report('refresh signing keys', error),
  )
  rounds.every(
    DROP_MS,
    () => records.dropExpired(),
    error => report('delete expired records', error),
  )
  rounds.every(COUNT_MS, countTimeouts, error => report('count logins that time out', error))
  return () => rounds.close()
}
