/** What the owner of an account may do without the wallet app (`spec/keyshare-server.md` 13.3, 15): confirm an address, look at the account, delete it. Every change
 *  of an account is a turn of it. @module */
import { parseMailAddress } from '../../accounts/mails/address.ts'
import { deletionMail, type MailLanguage } from '../../accounts/mails/texts.ts'
import type { LoginEvent } from '../../machines/login-events.ts'
import { Unavailable } from '../../protocol/errors.ts'
import type { AccountAddress, AccountId, AccountRow, LogEntry, MailLink } from '../../stores/account-store.ts'
import type { AccountsStore } from '../../stores/store.ts'
import { hashOfToken } from '../../stores/token-hash.ts'
import type { AccountStepInserts, Accounts } from '../accounts/accounts.ts'
import type { Confirmations } from '../mails/confirmations.ts'
import { type OwedMailDeps, owedMail } from '../mails/owed-mail.ts'
import { type AccountTimes, DAY_MS } from '../mails/settings.ts'

export type OwnersDeps = OwedMailDeps & {
  readonly store: Pick<AccountsStore, 'accounts'>
  readonly accounts: Pick<Accounts, 'read' | 'turn'>
  readonly confirmations: Confirmations
  readonly times: Pick<AccountTimes, 'deleteDays'>
}

export type OwnedAccount = {
  readonly row: AccountRow
  readonly addresses: readonly AccountAddress[]
}

export interface Owners {
  /** Whether somebody may still follow that link. */
  isOpen(token: string, purpose: MailLink['purpose']): Promise<boolean>
  /** The address is the account's from then on, and the link is used.
   *  @returns the address; null: unknown, used or too old */
  confirm(token: string): Promise<string | null>
  /** The link is used, and the accounts with that address are seen.
   *  @returns the address; null: unknown, used or too old */
  logIn(token: string): Promise<string | null>
  /** Those in use of which that is a confirmed address. */
  accountsOf(address: string): Promise<readonly OwnedAccount[]>
  /** @param after so many newer entries
   *  @returns the newest first */
  log(id: AccountId, after: number, limit: number): Promise<readonly LogEntry[]>
  /** Mails a link to another address of the account, or again to the same.
   *  @returns false: the account is not in use
   *  @throws as `Confirmations` */
  confirmAnother(id: AccountId, email: string, language: MailLanguage): Promise<boolean>
  /** The account is of no use from then on, its row is deleted later, and each of its addresses is mailed.
   *  @returns false: it was not in use */
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
      for (const id of await store.accounts.withAddress(link.address)) await visited(id, {}, deps)
      return link.address
    },
    accountsOf: address => accountsOf(address, deps),
    log: (id, after, limit) => store.accounts.log(id, after, limit),
    confirmAnother: (accountId, email, language) =>
      deps.confirmations.ask({ accountId, email, language }, inserts => visited(accountId, inserts, deps)),
    disable: id => disable(id, deps),
  }
}

async function confirmed({ tokenHash, accountId, address }: MailLink, deps: OwnersDeps): Promise<boolean> {
  if (accountId === null) return false
  const inserts = { usedLink: tokenHash, addresses: [{ accountId, address, deleteAt: null }] }
  try {
    return await visited(accountId, inserts, deps)
  } catch (error) {
    // a link that somebody else has used meanwhile lets no commit through
    const isUsed = error instanceof Unavailable && (await deps.store.accounts.link(tokenHash)) === null
    if (isUsed) return false
    throw error
  }
}

/** @returns false: the account is not in use any more */
async function visited(
  id: AccountId,
  inserts: AccountStepInserts,
  { accounts }: Pick<OwnersDeps, 'accounts'>,
): Promise<boolean> {
  const turn = await accounts.turn(id, () => ({ event: { type: 'owner.visited' }, inserts }))
  return turn !== null && !turn.isRefused
}

async function accountsOf(
  address: string,
  { store, accounts }: OwnersDeps,
): Promise<readonly OwnedAccount[]> {
  const ids = await store.accounts.withAddress(address)
  const found = ids.map(async id => {
    const row = await accounts.read(id)
    return row === null || row.record === null
      ? []
      : [{ row, addresses: await store.accounts.addressesOf(id) }]
  })
  return (await Promise.all(found)).flat()
}

async function disable(id: AccountId, deps: OwnersDeps): Promise<boolean> {
  const { accounts, store, clock, times } = deps
  const addresses = await store.accounts.addressesOf(id)
  const deleteAt = clock.now() + times.deleteDays * DAY_MS
  const event: LoginEvent = { type: 'owner.disabled', deleteAt }
  const turn = await accounts.turn(id, ({ row: { userName, language } }) => {
    const text = deletionMail(language, userName, times.deleteDays)
    const owed = addresses.map(({ address }) =>
      owedMail({ kind: 'deletion', owner: id, to: parseMailAddress(address), text }, deps),
    )
    return { event, inserts: { owed } }
  })
  return turn !== null && !turn.isRefused
}
