/** Settings of the mails of a keyshare server. @module */
import type { OwnMails } from '../../accounts/mails/own-words.ts'
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import type { Backoff } from '../../machines/delivery.ts'
import type { MailSender, MailServer } from '../../ports/mail.ts'

export type MailSettings = {
  readonly server: MailServer
  readonly from: MailSender
  readonly backoff: Backoff
  /** URL of the account page, without a trailing slash */
  readonly pageUrl: string
  /** the language for users whose own language is not available */
  readonly defaultLanguage: MailLanguage
  /** lifetime of a link that confirms an address */
  readonly confirmationHours: number
  readonly rates: MailRates
  readonly ownMails: OwnMails
  /** address before the token of a confirmation link; null: the account page */
  readonly verificationUrls: Readonly<Record<MailLanguage, string | null>>
}

/** The bounds on mails that strangers cause. */
export type MailRates = {
  /** requests for a mail per hour and caller; 0: no bound */
  readonly perCaller: number
  /** mails per hour and domain; 0: no bound */
  readonly perDomain: number
  /** mails per day and mailbox, of each purpose; 0: no bound */
  readonly perMailbox: number
}

/** Retention of accounts. */
export type AccountTimes = {
  /** how long an account may be unused before its owner is warned */
  readonly expiryDays: number
  /** how long the account is kept after the warning, or after its owner has deleted it */
  readonly deleteDays: number
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
