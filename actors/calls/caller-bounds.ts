/** Bounds on calls that cost the caller nothing and the server a row, of one caller and of all callers (spec/decisions#bounds-of-callers, #logins-per-caller). @module */
import type { Clock } from '../../ports/clock.ts'
import { OverloadedError, TooManyRequestsError } from '../../protocol/errors.ts'
import { RateBound } from '../accounts/rate-bound.ts'

export type CallerRates = {
  /** per minute and caller; 0: no bound */
  readonly perCaller: number
  /** per minute, of all callers; 0: no bound */
  readonly perMinute: number
}

export interface CallerBounds {
  /** Counts a call of that caller.
   *  @throws {TooManyRequestsError} with the time after which that caller may call again
   *  @throws {OverloadedError} for the bound of all callers */
  count(caller: string): void
}

const MINUTE_MS = 60_000

/** @param what name of the calls, for the error of one caller
 *  @param tooMany the error of all callers */
export function createCallerBounds(
  { perCaller, perMinute }: CallerRates,
  clock: Pick<Clock, 'now'>,
  { what, tooMany }: { readonly what: string; readonly tooMany: string },
): CallerBounds {
  const ofCaller = new RateBound({ most: perCaller, windowMs: MINUTE_MS }, clock)
  const ofAll = new RateBound({ most: perMinute, windowMs: MINUTE_MS }, clock)
  return {
    count(caller) {
      const waitMs = ofCaller.take(caller)
      if (waitMs > 0)
        throw new TooManyRequestsError(
          `expected at most ${perCaller} ${what} a minute from one network address, got more; try again later`,
          waitMs,
        )
      if (ofAll.take('') > 0) throw new OverloadedError(tooMany)
    },
  }
}

/** The bounds on registrations of accounts. An account is a row for 30 days. */
export function createRegistrationBounds(rates: CallerRates, clock: Pick<Clock, 'now'>): CallerBounds {
  return createCallerBounds(rates, clock, {
    what: 'registrations',
    tooMany: 'too many users register at once',
  })
}
