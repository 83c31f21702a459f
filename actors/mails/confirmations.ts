/** Mails that ask for the confirmation of an address (spec/keyshare-server#13.2, spec/decisions#k12): at registration, and again from the
 *  account page. An address is refused before anything is stored. No answer reveals whether an address is known. @module */
import { domainOf, type MailAddress, needsUtf8, parseMailAddress } from '../../accounts/mails/address.ts'
import { inOwnWords } from '../../accounts/mails/own-words.ts'
import { confirmationMail } from '../../accounts/mails/texts.ts'
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import type { MailPort } from '../../ports/mail.ts'
import type { DomainCheck } from '../../ports/mail-domain.ts'
import { InvalidRequestError, TooManyRequestsError, UnavailableError } from '../../protocol/errors.ts'
import type { AccountId, AccountStore } from '../../stores/account-store.ts'
import type { DeliveryStore } from '../../stores/delivery-store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { AccountStepInserts } from '../accounts/accounts.ts'
import { KeyedQueue } from '../keyed-queue.ts'
import type { MailBounds } from './mail-bounds.ts'
import { type OwedMailDeps, owedMail, requireMailRoom } from './owed-mail.ts'
import { HOUR_MS, type MailSettings } from './settings.ts'

export type ConfirmationDeps = Omit<OwedMailDeps, 'settings'> & {
  readonly accounts: Pick<AccountStore, 'countLinks'>
  readonly deliveries: Pick<DeliveryStore, 'countOwed'>
  readonly takesMail: DomainCheck
  readonly bounds: MailBounds
  readonly mail: Pick<MailPort, 'offersUtf8'>
  readonly settings: Pick<
    MailSettings,
    'server' | 'pageUrl' | 'confirmationHours' | 'ownMails' | 'verificationUrls'
  >
}

export type AddressToConfirm = {
  readonly accountId: AccountId
  /** the address as typed */
  readonly email: string
  readonly language: MailLanguage
  /** name for the counts of the caller */
  readonly caller: string
}

export interface Confirmations {
  /** Randomness, in this order: the token of the link, and the values for the mail.
   *  @param store commits the rows that it receives; the next mail to that address waits for it, so that the mails are counted
   *  @throws {InvalidRequestError} for an address that no mail can reach
   *  @throws {TooManyRequestsError} for another link while three links of the last hour are unused, and by the bounds of mails
   *  @throws {UnavailableError} while too many mails wait for the mail server, or DNS does not answer for the domain */
  ask<Result>(
    asked: AddressToConfirm,
    store: (inserts: AccountStepInserts) => Promise<Result>,
  ): Promise<Result>
}

/** The most unused links to one address that were created within an hour. */
const MAX_UNHANDLED = 3

export function createConfirmations(deps: ConfirmationDeps): Confirmations {
  const { accounts, clock, takesMail, mail, bounds } = deps
  const lines = new KeyedQueue()
  return {
    async ask(asked, store) {
      const address = parseMailAddress(asked.email)
      if (needsUtf8(address) && mail.offersUtf8() === false)
        throw new InvalidRequestError(
          'invalid email address: expected a name in ASCII, because the mail server takes no other; give another address',
        )
      bounds.countRequest(asked.caller)
      const domain = await takesMail(domainOf(address))
      if (domain === 'unknown')
        throw new UnavailableError(
          'expected DNS to say whether the domain of the email address takes mail, got no answer; try again later',
        )
      if (domain === 'takes none')
        throw new InvalidRequestError('invalid email address: expected a domain that takes mail, got another')
      return lines.run(address, async () => {
        const unhandled = await accounts.countLinks(address, 'confirmation', clock.now() - HOUR_MS)
        if (unhandled >= MAX_UNHANDLED)
          throw new TooManyRequestsError('Too many unhandled email tokens for given email address')
        await requireMailRoom(deps.deliveries, deps.settings)
        const waitMs = bounds.countMail(address, 'confirmation')
        if (waitMs > 0)
          throw new TooManyRequestsError(
            'too many mails to this address or its domain; try again later',
            waitMs,
          )
        return store(insertsOf(address, asked, deps))
      })
    },
  }
}

function insertsOf(
  address: MailAddress,
  { accountId, language }: AddressToConfirm,
  deps: ConfirmationDeps,
): AccountStepInserts {
  const { clock, random, settings } = deps
  const token = random.token()
  const madeAt = clock.now()
  const page = settings.verificationUrls[language] ?? `${settings.pageUrl}/${language}/confirm/`
  const link = `${page}${token}`
  const built = confirmationMail(language, link, settings.confirmationHours)
  const text = inOwnWords<'confirmation'>(
    settings.ownMails.confirmation[language],
    { VerificationURL: link },
    built,
  )
  const endsAt = madeAt + settings.confirmationHours * HOUR_MS
  const facts = { purpose: 'confirmation', address, accountId, madeAt, endsAt } as const
  return {
    links: [{ tokenHash: hashOfToken(token), ...facts }],
    owed: [owedMail({ kind: 'confirmation', owner: accountId, to: address, text }, deps)],
  }
}
