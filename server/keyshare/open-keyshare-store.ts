/** Opens the store of a keyshare server, with accounts and the sessions that issue their login credential. @module */
import type { Logger } from 'pino'
import { mistakeInAccountsStoreName } from '../../stores/open.ts'
import type { Store } from '../../stores/store.ts'
import type { OnClose } from '../closable.ts'
import { defaultKeyshareStorePath } from '../files/directories.ts'
import {
  checkOptionStore,
  type OptionStoreDeps,
  openOptionStore,
  type StoreOption,
  sayDefaultStore,
} from '../open-option-store.ts'
import { SettingsError } from '../settings/errors.ts'
import type { KeyshareNodeSettings } from '../settings/keyshare-settings.ts'

/** @throws {SettingsError} if it names no store @throws {Error} in words for an operator */
export async function openKeyshareStore(
  {
    store: name,
    sessions: { sqliteSynchronous },
  }: Pick<KeyshareNodeSettings, 'store'> & {
    readonly sessions: Pick<KeyshareNodeSettings['sessions'], 'sqliteSynchronous'>
  },
  deps: OptionStoreDeps,
  onClose: OnClose,
): Promise<Store> {
  const store = await openOptionStore({ ...optionOf(name), sqliteSynchronous }, deps)
  onClose(() => store.close())
  return store
}

/** Checks that it could be opened. The start finds out whether a database answers.
 *  @throws as `openKeyshareStore` */
export function checkKeyshareStore(name: string): void {
  checkOptionStore(optionOf(name))
}

/** @throws as `openKeyshareStore` */
export function sayDefaultKeyshareStore(name: string, log: Pick<Logger, 'info'>): void {
  sayDefaultStore(optionOf(name), log)
}

function optionOf(name: string): Omit<StoreOption, 'sqliteSynchronous'> {
  const mistake = name === '' ? null : mistakeInAccountsStoreName(name)
  if (mistake !== null) throw new SettingsError(mistake)
  return { name, defaultFile: defaultKeyshareStorePath }
}
