/** Rows of accounts as a gate might write them, and their commits. @module */
import type { AccountAddress, AccountRow, MailLink } from '../../stores/account-store.ts'
import type { Inserts, Store } from '../../stores/store.ts'

export function accountRow(name: string, changes: Partial<AccountRow> = {}): AccountRow {
  return {
    id: `id-${name}`,
    version: 1,
    chart: 1,
    userName: name,
    language: 'en',
    record: new Uint8Array([1, 2, 3]),
    tokenIdHash: `token-${name}`,
    attempts: 0,
    blockedUntil: 0,
    deleteAt: null,
    snapshot: { value: 'active', context: { isDeviceBound: true } },
    challenge: null,
    commitment: null,
    dueAt: null,
    seenAt: 1_000,
    ...changes,
  }
}

/** A row in which every changing column has a value. */
export function fullAccount(name: string): AccountRow {
  return accountRow(name, {
    version: 2,
    chart: 2,
    record: new Uint8Array(324).fill(255),
    tokenIdHash: `another-${name}`,
    attempts: 3,
    blockedUntil: 2_100_000_000_000,
    deleteAt: 2_200_000_000_000,
    snapshot: { value: { active: { attempts: 'blocked' } }, context: { text: 'naïve ☃ 𝄞 "quoted"' } },
    challenge: new Uint8Array(32).fill(7),
    commitment: {
      lastKey: 'test.test-3',
      hashedComms: new Uint8Array(32).fill(9),
      sealedRandomizer: new Uint8Array([0, 128, 255]),
    },
    dueAt: 2_000_000_000_000,
    seenAt: 1_900_000_000_000,
  })
}

export function linkFor(token: string, changes: Partial<MailLink> = {}): MailLink {
  return {
    tokenHash: `hash-${token}`,
    purpose: 'confirmation',
    address: 'a@example.com',
    accountId: 'id-a',
    madeAt: 1_000,
    endsAt: 9_000,
    ...changes,
  }
}

export function addressOf(name: string, changes: Partial<AccountAddress> = {}): AccountAddress {
  return { accountId: `id-${name}`, address: `${name}@example.com`, deleteAt: null, ...changes }
}

/** @param version the stored version; 0 registers the account */
export function commitAccount(
  store: Pick<Store, 'commit'>,
  version: number,
  row: AccountRow,
  inserts: Pick<Inserts, 'account' | 'owed'> = {},
): Promise<boolean> {
  return store.commit({ account: { id: row.id, version, row }, inserts })
}

export function deleteAccount(store: Pick<Store, 'commit'>, id: string, version: number): Promise<boolean> {
  return store.commit({ account: { id, version, row: null } })
}
