/** Where a keyshare server remembers accounts, and where the sessions that issue their login credential. @module */
import { getHeapStatistics } from 'node:v8'
import type { SessionLimits } from '../../actors/create-sessions.ts'
import { createMemoryStore } from '../../stores/memory/store.ts'
import { isPostgres, mistakeInAccountsStoreName, openAccountsStore } from '../../stores/open.ts'
import type { AccountsStore, SessionServerStore } from '../../stores/store.ts'
import { defaultKeyshareStorePath } from '../files/directories.ts'
import {
  checkOptionStore,
  type OptionStoreDeps,
  openOptionStore,
  type StoreOption,
  tellLog,
} from '../open-option-store.ts'
import type { OnClose } from '../opened.ts'
import { SettingsError } from '../settings/errors.ts'
import type { KeyshareWorld } from '../world.ts'

export type KeyshareStores = {
  readonly accounts: AccountsStore
  readonly sessions: SessionServerStore
  readonly limits: Partial<SessionLimits>
}

/** The room for a session in memory: one that nobody has answered takes 5 KB. */
const SESSION_BYTES = 8_192
/** The most sessions in memory, which fill half of the heap at most: anybody may register, and each registration begins one. */
const MOST_IN_MEMORY = Math.floor(getHeapStatistics().heap_size_limit / 2 / SESSION_BYTES)

/** @param name of the option; empty: the default
 *  @throws {SettingsError} if it names no store @throws {Error} in words for an operator */
export async function openKeyshareStores(
  name: string,
  { store: given }: NonNullable<KeyshareWorld['instead']>,
  deps: OptionStoreDeps,
  onClose: OnClose,
): Promise<KeyshareStores> {
  if (given) return { accounts: given, sessions: given, limits: {} }
  checkName(name)
  if (isPostgres(name)) return openShared(name, deps, onClose)
  const store = await openOptionStore(optionOf(name), deps)
  onClose(() => store.close())
  return { accounts: store, sessions: store, limits: {} }
}

/** What opening them would meet, without a database: whether one is there is seen at the start.
 *  @throws as `openKeyshareStores` */
export function checkKeyshareStores(name: string): void {
  checkName(name)
  if (!isPostgres(name)) checkOptionStore(optionOf(name))
}

/** Accounts that several nodes share. The session that issues a login credential lives on the node that began it, and with it: when it is lost, the wallet app
 *  asks for another one. */
async function openShared(
  name: string,
  { bootId, clock, log, lost }: OptionStoreDeps,
  onClose: OnClose,
): Promise<KeyshareStores> {
  const accounts = await openAccountsStore(name, bootId, { clock, lost, tell: tellLog(log) })
  onClose(() => accounts.close())
  return { accounts, sessions: createMemoryStore(), limits: { maxSessions: MOST_IN_MEMORY } }
}

function optionOf(name: string): StoreOption {
  return { name, defaultFile: defaultKeyshareStorePath() }
}

function checkName(name: string): void {
  const mistake = name === '' ? null : mistakeInAccountsStoreName(name)
  if (mistake !== null) throw new SettingsError(mistake)
}
