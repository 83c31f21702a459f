/** A keyshare server for paths: accounts with an address, an account page, and outcomes of PINs that are held until their step. @module */
import type { Accounts, AccountView, DecideAccount } from '../../../actors/accounts/accounts.ts'
import { createOwners } from '../../../actors/owners/owners.ts'
import type { AccountPageDeps } from '../../../http/account-page/deps.ts'
import type { KeyshareDeps } from '../../../http/keyshare/deps.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import type { AccountsStore } from '../../../stores/store.ts'
import { MAIL_SETTINGS } from '../../actors/mails/world.ts'
import { type KeyshareOfTest, STORAGE_KEYS, withKeyshare, withMethods } from '../../http/keyshare/harness.ts'
import { DELETION_MS } from './account.ts'

/** The token in every form of the account page in these tests. */
export const FORM_TOKEN = 'token-of-the-forms'
export const PAGE_URL = 'http://keyshare.example/account'

/** An outcome of a PIN that is held before its turn. */
export type HeldOutcome = { readonly type: string; readonly release: () => void }

export type LoginServer = KeyshareOfTest & {
  /** held outcomes of the calls of this test, the oldest first; the caller of `release` removes the outcome from the list */
  readonly held: HeldOutcome[]
  /** the accounts behind the endpoints; turns of this gate are never held */
  readonly gate: Accounts
  readonly page: Pick<AccountPageDeps, 'clock' | 'random' | 'storageKeys' | 'pageUrl'>
}

/** The view that shows whether a turn is an outcome: such a turn reads neither the row nor the secrets. `can` is false, because an unstored outcome returns its event only
 *  if the chart refuses it. */
const UNSEEN: AccountView = {
  get row(): never {
    throw new TypeError('the turn reads the row')
  },
  get secrets(): never {
    throw new TypeError('the turn reads the secrets')
  },
  can: () => false,
}

function outcomeIn(decide: DecideAccount): string | null {
  try {
    return decide(UNSEEN)?.event.type ?? null
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function holding(accounts: Accounts, held: HeldOutcome[]): Accounts {
  return withMethods(accounts, {
    async turn(id, decide) {
      const type = outcomeIn(decide)
      if (type !== null) await new Promise<void>(release => held.push({ type, release }))
      return accounts.turn(id, decide)
    },
  })
}

function pageOf(
  { callerNames, clock, log, traces, settings, reserveBody }: KeyshareDeps,
  accounts: Accounts,
  store: AccountsStore,
) {
  const random = { ...systemRandomness, token: () => FORM_TOKEN }
  const times = { deleteDays: DELETION_MS / 86_400_000 }
  const owners = createOwners({
    clock,
    random: systemRandomness,
    storageKeys: STORAGE_KEYS,
    store,
    accounts,
    times,
    report: () => {},
    settings: MAIL_SETTINGS,
    confirmations: { ask: (_asked, commit) => commit({}) },
  })
  return {
    callerNames,
    clock,
    log,
    traces,
    settings,
    reserveBody,
    owners,
    random,
    times,
    loginMails: { ask() {} },
    storageKeys: STORAGE_KEYS,
    pageUrl: PAGE_URL,
  } satisfies AccountPageDeps
}

export async function withLoginServer(
  store: AccountsStore,
  use: (server: LoginServer) => Promise<void>,
): Promise<void> {
  const held: HeldOutcome[] = []
  let gate: Accounts | null = null
  let page: AccountPageDeps | null = null
  await withKeyshare(
    {
      store,
      deps: ({ accounts }) => {
        gate = accounts
        return {
          accounts: holding(accounts, held),
          withMail: ({ accountId, email }, register) =>
            register({ addresses: [{ accountId, address: email, deleteAt: null }] }),
        }
      },
      page: deps => {
        page = pageOf(deps, gate ?? deps.accounts, store)
        return page
      },
    },
    server =>
      use({
        ...server,
        held,
        gate: gate ?? server.accounts,
        page: page ?? pageOf(server.deps, server.accounts, store),
      }),
  )
}
