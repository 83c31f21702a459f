/** The actions of an account's owner without the wallet app (spec/keyshare-server#13.3, #15): confirm an address, look at the account, delete it. Every
 *  change of an account is a turn. @module */
import { parseMailAddress } from '../../accounts/mails/address.ts'
import { inOwnWords } from '../../accounts/mails/own-words.ts'
import { deletionMail } from '../../accounts/mails/texts.ts'
import type { LoginEvent } from '../../machines/login-events.ts'
import { deletionAt } from '../../machines/login-facts.ts'
import { UnavailableError } from '../../protocol/errors.ts'
import type { AccountAddress, AccountId, AccountRow, LogEntry, MailLink } from '../../stores/account-store.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import { type AccountStepInserts, type Accounts, isOfOneAccount } from '../accounts/accounts.ts'
import type { AddressToConfirm, Confirmations } from '../mails/confirmations.ts'
import { type OwedMailDeps, owedMail } from '../mails/owed-mail.ts'
import type { AccountTimes, MailSettings } from '../mails/settings.ts'

export type OwnersDeps = OwedMailDeps & {
  readonly store: Pick<AccountsStore, 'accounts'>
  readonly accounts: Pick<Accounts, 'read' | 'turn'>
  readonly confirmations: Confirmations
  readonly times: Pick<AccountTimes, 'deleteDays'>
  readonly settings: Pick<MailSettings, 'ownMails'>
  /** receives accounts that cannot be read; the other accounts of their owner are not affected */
  readonly report: (id: AccountId, error: unknown) => void
}

export type OwnedAccount = {
  readonly row: AccountRow
  readonly addresses: readonly AccountAddress[]
}

export interface Owners {
  /** True if the link can still be followed. */
  isOpen(token: string, purpose: MailLink['purpose']): Promise<boolean>
  /** Assigns the address to the account, and uses the link up.
   *  @returns the address; null: unknown, used or too old */
  confirm(token: string): Promise<string | null>
  /** Uses the link up, and records a visit for the accounts with that address.
   *  @returns the address; null: unknown, used or too old */
  logIn(token: string): Promise<string | null>
  /** The active accounts that have `address` as a confirmed address. */
  accountsOf(address: string): Promise<readonly OwnedAccount[]>
  /** @param after number of newer entries to skip
   *  @returns the newest first */
  log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]>
  /** Mails a confirmation link to another address of the account, or again to the same address.
   *  @returns false if the account is not active
   *  @throws as `Confirmations` */
  confirmAnother(asked: AddressToConfirm): Promise<boolean>
  /** Makes the account unusable from now on, and sends a mail to each of its addresses. Its row is deleted later.
   *  @returns false if it was not active */
  disable(id: AccountId): Promise<boolean>
}

export function createOwners(deps: OwnersDeps): Owners {
  const { clock, store } = deps
  const openLink = async (token: string, purpose: MailLink['purpose']): Promise<MailLink | null> => {
    const link = await store.accounts.link(hashOfToken(token))
    return link?.purpose === purpose && link.endsAt > clock.now() ? link : null
  }
  return {
    isOpen: async (token, purpose) => (await openLink(token, purpose)) !== null,
    async confirm(token) {
      const link = await openLink(token, 'confirmation')
      return link !== null && (await confirmed(link, deps)) ? link.address : null
    },
    async logIn(token) {
      const link = await openLink(token, 'login')
      if (link === null || !(await store.accounts.useLink(link.tokenHash))) return null
      for (const id of await store.accounts.withAddress(link.address))
        await unlessUnreadable(id, deps, () => visited(id, {}, deps))
      return link.address
    },
    accountsOf: address => accountsOf(address, deps),
    log: (id, after, limit) => store.accounts.log(id, after, limit),
    confirmAnother: asked =>
      deps.confirmations.ask(asked, inserts => visited(asked.accountId, inserts, deps)),
    disable: id => disable(id, deps),
  }
}

async function confirmed({ tokenHash, accountId, address }: MailLink, deps: OwnersDeps): Promise<boolean> {
  if (accountId === null) return false
  const inserts = { usedLink: tokenHash, addresses: [{ accountId, address, deleteAt: null }] }
  try {
    return await visited(accountId, inserts, deps)
  } catch (error) {
    // a link that was used meanwhile makes the commit fail
    const isUsed = error instanceof UnavailableError && (await deps.store.accounts.link(tokenHash)) === null
    if (isUsed) return false
    throw error
  }
}

/** @returns false if the account is no longer active */
async function visited(
  id: AccountId,
  inserts: AccountStepInserts,
  { accounts }: Pick<OwnersDeps, 'accounts'>,
): Promise<boolean> {
  const turn = await accounts.turn(id, () => ({ event: { type: 'owner.visited' }, inserts }))
  return turn !== null && !turn.isRefused
}

async function accountsOf(address: string, deps: OwnersDeps): Promise<readonly OwnedAccount[]> {
  const { store, accounts } = deps
  const ids = await store.accounts.withAddress(address)
  const found = ids.map(async id => {
    const row = await unlessUnreadable(id, deps, () => accounts.read(id))
    return row === null || row.record === null
      ? []
      : [{ row, addresses: await store.accounts.addressesOf(id) }]
  })
  return (await Promise.all(found)).flat()
}

/** @returns null if the account cannot be read */
async function unlessUnreadable<Result>(
  id: AccountId,
  { report }: Pick<OwnersDeps, 'report'>,
  use: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await use()
  } catch (error) {
    if (!isOfOneAccount(error)) throw error
    report(id, error)
    return null
  }
}

async function disable(id: AccountId, deps: OwnersDeps): Promise<boolean> {
  const { accounts, store, clock, times } = deps
  const addresses = await store.accounts.addressesOf(id)
  const deleteAt = deletionAt(clock.now(), times.deleteDays)
  const event: LoginEvent = { type: 'owner.disabled', deleteAt }
  const turn = await accounts.turn(id, ({ row: { userName, language } }) => {
    const built = deletionMail(language, userName, times.deleteDays)
    const email = addresses.map(({ address }) => address).join(', ')
    const values = { Username: userName, Email: email, Delay: times.deleteDays }
    const text = inOwnWords<'deletion'>(deps.settings.ownMails.deletion[language], values, built)
    const owed = addresses.map(({ address }) =>
      owedMail({ kind: 'deletion', owner: id, to: parseMailAddress(address), text }, deps),
    )
    return { event, inserts: { owed } }
  })
  return turn !== null && !turn.isRefused
}
