/** Nodes of a keyshare server on one store in memory, for tests: with a clock that the test moves, and a list of the reported failures. @module */
import { newSecrets } from '../../../accounts/secrets.ts'
import {
  parseStorageKey,
  type StorageKeys,
  storageKeyFile,
  storageKeys,
} from '../../../accounts/storage-keys.ts'
import type { AccountStep, Accounts, AccountTurn } from '../../../actors/accounts/accounts.ts'
import { type AccountsDeps, createAccounts } from '../../../actors/accounts/create-accounts.ts'
import type { LoginEvent } from '../../../machines/login-events.ts'
import { createSimulatedClock, type SimulatedClock } from '../../../ports/simulated-clock.ts'
import type { AccountRow, LogEntry } from '../../../stores/account-store.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import type { AccountsStore } from '../../../stores/store.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'

export const PIN = 'the PIN of this account\n'
export const DEVICE_KEY = new Uint8Array(91).fill(4)
export const USER = 'user'
export const ID = hashOfToken(USER)

/** @param id of the primary key
 *  @param older numbers of keys that only decrypt */
export function keysOf(id: number, ...older: readonly number[]): StorageKeys {
  const keyOf = (each: number) => parseStorageKey(storageKeyFile(each, new Uint8Array(32).fill(each)))
  return storageKeys(keyOf(id), older.map(keyOf))
}

export type AccountNodes = {
  readonly nodes: readonly [Accounts, Accounts]
  readonly store: AccountsStore
  readonly clock: SimulatedClock
  /** the reported failures of both nodes */
  readonly failures: unknown[]
  /** another node on the same store */
  readonly node: (changes?: Partial<AccountsDeps>) => Accounts
  /** as stored */
  readonly row: () => Promise<AccountRow>
  /** the activity log, the oldest entry first */
  readonly log: () => Promise<readonly LogEntry[]>
  readonly close: () => Promise<void>
}

/** Runs a test with two nodes, and one account that was registered on the first.
 *  @param deviceKey null: the account has none
 *  @param changes of every node */
export async function withAccount(
  use: (nodes: AccountNodes) => Promise<void>,
  deviceKey: Uint8Array | null = DEVICE_KEY,
  changes: Partial<AccountsDeps> = {},
): Promise<void> {
  const started = createAccountNodes(changes)
  const secrets = newSecrets(PIN, { mk: 5n, tokenId: new Uint8Array(32).fill(0xaa), deviceKey })
  await started.nodes[0].register({ userName: USER, language: 'en', secrets })
  try {
    await use(started)
  } finally {
    await started.close()
  }
}

function createAccountNodes(every: Partial<AccountsDeps>): AccountNodes {
  const clock = createSimulatedClock(1_000)
  const failures: unknown[] = []
  const store = racing(createMemoryStore())
  const opened: Accounts[] = []
  let drawn = 0
  const node: AccountNodes['node'] = changes => {
    const accounts = createAccounts({
      store,
      clock,
      bootId: `node ${opened.length}`,
      storageKeys: keysOf(7),
      random: { bytes: count => new Uint8Array(count).fill(++drawn) },
      binding: 'write',
      commitmentsOf: 'any',
      report: (_id, error) => failures.push(error),
      ...every,
      ...changes,
    })
    opened.push(accounts)
    return accounts
  }
  return {
    store,
    clock,
    failures,
    node,
    nodes: [node(), node()],
    async row() {
      const row = await store.accounts.load(ID)
      if (row === null) throw new Error('the account is gone')
      return row
    },
    log: async () => [...(await store.accounts.log(ID, 0, 1_000))].reverse(),
    close: async () => void (await Promise.all(opened.map(accounts => accounts.close()))),
  }
}

/** Delays each commit, so that the nodes race. */
function racing(store: AccountsStore): AccountsStore {
  return {
    accounts: store.accounts,
    deliveries: store.deliveries,
    nodes: store.nodes,
    subscribe: (...listeners) => store.subscribe(...listeners),
    close: () => store.close(),
    async commit(commit) {
      await Promise.resolve()
      return store.commit(commit)
    },
  }
}

/** A turn of the existing account. */
export async function enter(
  accounts: Accounts,
  event: LoginEvent,
  written: Omit<AccountStep, 'event'> = {},
): Promise<AccountTurn> {
  const turn = await accounts.turn(ID, () => ({ event, ...written }))
  if (turn === null) throw new Error('the account is gone')
  return turn
}

/** Test bytes in place of a challenge, or of w_k. */
export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text)
}
