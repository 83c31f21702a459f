/** What the mails of a keyshare server are sent with. @module */
import type { MailLanguage } from '../../accounts/mails/texts.ts'
import type { Backoff } from '../../machines/delivery.ts'
import type { MailSender, MailServer } from '../../ports/mail.ts'

export type MailSettings = {
  readonly server: MailServer
  readonly from: MailSender
  readonly backoff: Backoff
  /** the address of the account page, with no slash at its end */
  readonly pageUrl: string
  /** the language for users whose own this server does not have */
  readonly defaultLanguage: MailLanguage
  /** how long a link that confirms an address can be followed */
  readonly confirmationHours: number
}

/** How long accounts are kept. */
export type AccountTimes = {
  /** how long an account may be unused before its owner is warned */
  readonly expiryDays: number
  /** how long it is kept after the warning, or after its owner has deleted it */
  readonly deleteDays: number
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
