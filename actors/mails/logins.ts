/** Mails with a link that logs the owner of an address in to the account page (spec/keyshare-server#15). The answer is the same, and as fast, for known
 *  and unknown addresses: the work happens afterwards. @module */
import { type MailAddress, parseMailAddress } from '../../accounts/mails/address.ts'
import { inOwnWords } from '../../accounts/mails/own-words.ts'
import { loginMail } from '../../accounts/mails/texts.ts'
import type { MailLanguage } from '../../accounts/mails/words/languages.ts'
import { OverloadedError } from '../../protocol/errors.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { KeyedQueue } from '../keyed-queue.ts'
import type { MailBounds } from './mail-bounds.ts'
import { type OwedMailDeps, owedMail, requireMailRoom } from './owed-mail.ts'
import type { MailSettings } from './settings.ts'

export type LoginMailDeps = Omit<OwedMailDeps, 'settings'> & {
  readonly store: Pick<AccountsStore, 'accounts' | 'deliveries' | 'commit'>
  readonly settings: Pick<MailSettings, 'server' | 'pageUrl' | 'ownMails'>
  readonly bounds: MailBounds
  readonly report: (error: unknown) => void
}

export interface LoginMails {
  /** Does not wait for the outcome. Randomness, in this order: the token of the link, and the values for the mail.
   *  @param caller name for the counts of the caller
   *  @throws {InvalidRequestError} for a text that is no address
   *  @throws {TooManyRequestsError} for too many requests of that caller
   *  @throws {UnavailableError} */
  ask(email: string, language: MailLanguage, caller: string): void
  /** Waits for the work that was asked for. */
  close(): Promise<void>
}

const MINUTE_MS = 60_000
/** Minimum time between two unused login links to one address. */
const PAUSE_MS = 2 * MINUTE_MS
/** The lifetime of a link. */
const LINK_MINUTES = 60
/** The most requests that are worked on at once. */
const MAX_AT_ONCE = 100

export function createLoginMails(deps: LoginMailDeps): LoginMails {
  const lines = new KeyedQueue()
  const working = new Set<Promise<void>>()
  return {
    ask(email, language, caller) {
      const address = parseMailAddress(email)
      deps.bounds.countRequest(caller)
      if (working.size >= MAX_AT_ONCE) throw new OverloadedError('too many people ask for a link at once')
      const work = lines
        .run(address, () => mailUnlessPaused(address, language, deps))
        .catch(deps.report)
        .finally(() => working.delete(work))
      working.add(work)
    },
    async close() {
      await Promise.all(working)
    },
  }
}

/** Beyond the bound of mails none is sent, and no answer says so: it would reveal that the address is known. The link is stored first. A mail whose link does not work would be worse than a stored link that no mail contains. */
async function mailUnlessPaused(
  address: MailAddress,
  language: MailLanguage,
  deps: LoginMailDeps,
): Promise<void> {
  const { store, clock, random, settings, bounds } = deps
  const madeAt = clock.now()
  if ((await store.accounts.countLinks(address, 'login', madeAt - PAUSE_MS)) > 0) return
  if ((await store.accounts.withAddress(address)).length === 0) return
  await requireMailRoom(store.deliveries, settings)
  if (bounds.countMail(address, 'login') > 0) return
  const token = random.token()
  const endsAt = madeAt + LINK_MINUTES * MINUTE_MS
  const facts = { purpose: 'login', address, accountId: null, madeAt, endsAt } as const
  await store.accounts.addLink({ tokenHash: hashOfToken(token), ...facts })
  const link = `${settings.pageUrl}/${language}/login/${token}`
  const built = loginMail(language, link, LINK_MINUTES)
  const text = inOwnWords<'login'>(settings.ownMails.login[language], { TokenURL: link }, built)
  const owed = owedMail({ kind: 'login', owner: '', to: address, text }, deps)
  await store.commit({ inserts: { owed: [owed] } })
}
