/** Opens the store of an OpenID provider, with its records and the sessions of logins. @module */
import type { Logger } from 'pino'
import type { SessionServerStore } from '../../stores/store.ts'
import type { OnClose } from '../closable.ts'
import { defaultOidcStorePath } from '../files/directories.ts'
import {
  checkOptionStore,
  type OptionStoreDeps,
  openSessionOptionStore,
  type StoreOption,
  sayDefaultStore,
} from '../open-option-store.ts'
import type { OidcNodeSettings } from '../settings/oidc-settings.ts'

/** @throws {SettingsError} if it names no store @throws {Error} in words for an operator */
export async function openOidcStore(
  {
    store: name,
    redis,
    sessions: { sqliteSynchronous },
  }: Pick<OidcNodeSettings, 'store' | 'redis' | 'sessions'>,
  deps: OptionStoreDeps,
  onClose: OnClose,
): Promise<SessionServerStore> {
  const option = { ...optionOf(name), sqliteSynchronous }
  const store = await openSessionOptionStore(option, { redis, isAuthority: false }, deps)
  onClose(() => store.close())
  return store
}

/** Checks that it could be opened. The start finds out whether a database answers.
 *  @throws as `openOidcStore` */
export function checkOidcStore(name: string): void {
  checkOptionStore(optionOf(name))
}

export function sayDefaultOidcStore(name: string, log: Pick<Logger, 'info'>): void {
  sayDefaultStore(optionOf(name), log)
}

function optionOf(name: string): Omit<StoreOption, 'sqliteSynchronous'> {
  return { name, defaultFile: defaultOidcStorePath }
}
