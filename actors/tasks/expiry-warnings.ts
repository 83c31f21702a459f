/** Warnings to owners of accounts that were unused for long (spec/keyshare-server#14). After a warning the account is kept for some days, in which any use
 *  keeps it. An owner without an address cannot be warned, so such an account is kept. @module */
import { domainOf, type MailAddress, parseMailAddress } from '../../accounts/mails/address.ts'
import { inOwnWords } from '../../accounts/mails/own-words.ts'
import { expiryMail } from '../../accounts/mails/texts.ts'
import { deletionAt } from '../../machines/login-facts.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DomainCheck, DomainState } from '../../ports/mail-domain.ts'
import type { AccountId, AccountStore } from '../../stores/account-store.ts'
import { type Accounts, isOfOneAccount } from '../accounts/accounts.ts'
import { type OwedMailDeps, owedMail } from '../mails/owed-mail.ts'
import { type AccountTimes, DAY_MS, type MailSettings } from '../mails/settings.ts'

export type TaskDeps = {
  readonly stored: Pick<AccountStore, 'unused' | 'addressesOf' | 'toDelete' | 'tidy'>
  readonly accounts: Pick<Accounts, 'turn'>
  readonly clock: Clock
  readonly times: AccountTimes
}

export type WarningMeans = Omit<OwedMailDeps, 'clock'> & {
  readonly takesMail: DomainCheck
  readonly settings: Pick<MailSettings, 'ownMails'>
}

type Deps = TaskDeps &
  WarningMeans & {
    /** receives failures, for a log */
    readonly report: (task: string, error: unknown) => void
  }

/** The most warnings of one run. */
const MAX_WARNINGS = 10
/** The most accounts that are skipped because mail cannot reach them, or because they cannot be read. Beyond it, all of them are checked again. */
const MAX_PASSED_OVER = 10_000

/** @returns a function that performs one run */
export function expiryWarnings(deps: Deps): () => Promise<void> {
  const passedOver = new Set<AccountId>()
  return async () => {
    const { stored, clock, times } = deps
    const seenBefore = clock.now() - times.expiryDays * DAY_MS
    if (passedOver.size > MAX_PASSED_OVER) passedOver.clear()
    const unused = await stored.unused(seenBefore, MAX_WARNINGS + passedOver.size)
    for (const id of unused.filter(id => !passedOver.has(id)).slice(0, MAX_WARNINGS)) {
      const addresses = await addressesOf(id, deps)
      const state = await stateOf(addresses, deps)
      if (state === 'unknown') return // without DNS no owner is warned
      if (state === 'takes none') passedOver.add(id)
      else if (!(await isWarned(id, addresses, seenBefore, deps))) passedOver.add(id)
    }
  }
}

async function addressesOf(id: AccountId, { stored }: Deps): Promise<readonly MailAddress[]> {
  return (await stored.addressesOf(id)).map(({ address }) => parseMailAddress(address))
}

/** A warning counts only if it can reach all addresses. */
async function stateOf(addresses: readonly MailAddress[], { takesMail }: Deps): Promise<DomainState> {
  const states = await Promise.all([...new Set(addresses.map(domainOf))].map(takesMail))
  return states.find(state => state !== 'takes mail') ?? 'takes mail'
}

/** @returns false if the account cannot be read, which is left to the operator */
async function isWarned(...[id, addresses, seenBefore, deps]: Parameters<typeof warn>): Promise<boolean> {
  try {
    await warn(id, addresses, seenBefore, deps)
    return true
  } catch (error) {
    if (!isOfOneAccount(error)) throw error
    deps.report(`warn owner of ${id}`, error)
    return false
  }
}

/** The commit that sets the time of the deletion also creates the mails. It is skipped if another node warned before, or if the user has visited. */
async function warn(
  id: AccountId,
  addresses: readonly MailAddress[],
  seenBefore: number,
  deps: Deps,
): Promise<void> {
  const { accounts, clock, times } = deps
  const deleteAt = deletionAt(clock.now(), times.deleteDays)
  await accounts.turn(id, ({ row: { userName, language, seenAt } }) => {
    if (seenAt >= seenBefore) return null
    const built = expiryMail(language, userName, times.deleteDays)
    const values = { Username: userName, Email: addresses.join(', '), Delay: times.deleteDays }
    const text = inOwnWords<'expiry'>(deps.settings.ownMails.expiry[language], values, built)
    const owed = addresses.map(to => owedMail({ kind: 'expiry', owner: id, to, text }, deps))
    return { event: { type: 'server.warned', deleteAt }, inserts: { owed } }
  })
}
