/** Warnings to owners of accounts that nobody has used for long (`spec/keyshare-server.md` 14): from then on the account has some days, in which any use keeps it.
 *  Whoever has no address cannot be warned, so that such an account is kept. @module */
import { domainOf, type MailAddress, parseMailAddress } from '../../accounts/mails/address.ts'
import { expiryMail } from '../../accounts/mails/texts.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DomainCheck, DomainState } from '../../ports/mail-domain.ts'
import type { AccountId, AccountStore } from '../../stores/account-store.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { type OwedMailDeps, owedMail } from '../mails/owed-mail.ts'
import { type AccountTimes, DAY_MS } from '../mails/settings.ts'

export type TaskDeps = {
  readonly stored: Pick<AccountStore, 'unused' | 'addressesOf' | 'toDelete' | 'tidy'>
  readonly accounts: Pick<Accounts, 'turn'>
  readonly clock: Clock
  readonly times: AccountTimes
}

export type WarningMeans = Omit<OwedMailDeps, 'clock'> & { readonly takesMail: DomainCheck }

type Deps = TaskDeps & WarningMeans

/** The most warnings of one run. */
const MAX_WARNINGS = 10
/** The most accounts that are passed over because their mail cannot arrive; when there are more, all of them are looked at again. */
const MAX_PASSED_OVER = 10_000

/** @returns one run */
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
      if (state === 'unknown') return // without DNS nobody is warned
      if (state === 'takes none') passedOver.add(id)
      else await warn(id, addresses, seenBefore, deps)
    }
  }
}

async function addressesOf(id: AccountId, { stored }: Deps): Promise<readonly MailAddress[]> {
  return (await stored.addressesOf(id)).map(({ address }) => parseMailAddress(address))
}

/** A warning that one of them cannot get is none. */
async function stateOf(addresses: readonly MailAddress[], { takesMail }: Deps): Promise<DomainState> {
  const states = await Promise.all([...new Set(addresses.map(domainOf))].map(takesMail))
  return states.find(state => state !== 'takes mail') ?? 'takes mail'
}

/** The warning is owed by the commit that sets the time of the deletion, if nobody was quicker: another node, or the user. */
async function warn(
  id: AccountId,
  addresses: readonly MailAddress[],
  seenBefore: number,
  deps: Deps,
): Promise<void> {
  const { accounts, clock, times } = deps
  const deleteAt = clock.now() + times.deleteDays * DAY_MS
  await accounts.turn(id, ({ row: { userName, language, seenAt } }) => {
    if (seenAt >= seenBefore) return null
    const text = expiryMail(language, userName, times.deleteDays)
    const owed = addresses.map(to => owedMail({ kind: 'expiry', owner: id, to, text }, deps))
    return { event: { type: 'server.warned', deleteAt }, inserts: { owed } }
  })
}
