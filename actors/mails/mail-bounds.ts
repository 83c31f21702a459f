/** Bounds on mails that a stranger can cause (spec/decisions#bounds-of-callers). @module */
import { domainOf, type MailAddress, mailboxOf } from '../../accounts/mails/address.ts'
import type { Clock } from '../../ports/clock.ts'
import { TooManyRequestsError } from '../../protocol/errors.ts'
import { RateBound } from '../accounts/rate-bound.ts'
import { DAY_MS, HOUR_MS, type MailRates } from './settings.ts'

export interface MailBounds {
  /** Counts a request for a mail, before anything about its address is looked up.
   *  @throws {TooManyRequestsError} */
  countRequest(caller: string): void
  /** Counts a mail. The purposes have counts of their own: otherwise registrations with the address of another person would keep that person from logging in.
   *  @returns 0 if it may be sent; else the ms until it may be */
  countMail(address: MailAddress, purpose: 'confirmation' | 'login'): number
}

export function createMailBounds(
  { perCaller, perDomain, perMailbox }: MailRates,
  clock: Pick<Clock, 'now'>,
): MailBounds {
  const ofCaller = new RateBound({ most: perCaller, windowMs: HOUR_MS }, clock)
  const ofDomain = new RateBound({ most: perDomain, windowMs: HOUR_MS }, clock)
  const ofMailbox = new RateBound({ most: perMailbox, windowMs: DAY_MS }, clock)
  return {
    countRequest(caller) {
      const waitMs = ofCaller.take(caller)
      if (waitMs > 0)
        throw new TooManyRequestsError(
          `expected at most ${perCaller} requests for a mail an hour from one network address, got more; try again later`,
          waitMs,
        )
    },
    countMail(address, purpose) {
      const [mailbox, domain] = [`${purpose} ${mailboxOf(address)}`, `${purpose} ${domainOf(address)}`]
      const waitMs = Math.max(ofMailbox.waitMs(mailbox), ofDomain.waitMs(domain))
      if (waitMs > 0) return waitMs // a mail that one bound refuses counts for neither
      ofMailbox.take(mailbox)
      ofDomain.take(domain)
      return 0
    },
  }
}
