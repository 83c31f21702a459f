/** Bounds on registrations (spec/decisions#bounds-of-callers). An account costs its caller nothing, and the server a row for 30 days. @module */
import type { Clock } from '../../ports/clock.ts'
import { OverloadedError, TooManyRequestsError } from '../../protocol/errors.ts'
import { RateBound } from './rate-bound.ts'

export type RegistrationRates = {
  /** per minute and caller; 0: no bound */
  readonly perCaller: number
  /** per minute, of all callers; 0: no bound */
  readonly perMinute: number
}

export interface RegistrationBounds {
  /** Counts a registration of that caller.
   *  @throws {TooManyRequestsError} with the time after which that caller may register another account
   *  @throws {OverloadedError} for the bound of all callers */
  count(caller: string): void
}

const MINUTE_MS = 60_000

export function createRegistrationBounds(
  { perCaller, perMinute }: RegistrationRates,
  clock: Pick<Clock, 'now'>,
): RegistrationBounds {
  const ofCaller = new RateBound({ most: perCaller, windowMs: MINUTE_MS }, clock)
  const ofAll = new RateBound({ most: perMinute, windowMs: MINUTE_MS }, clock)
  return {
    count(caller) {
      const waitMs = ofCaller.take(caller)
      if (waitMs > 0)
        throw new TooManyRequestsError(
          `expected at most ${perCaller} registrations a minute from one network address, got more; try again later`,
          waitMs,
        )
      if (ofAll.take('') > 0) throw new OverloadedError('too many users register at once')
    },
  }
}
