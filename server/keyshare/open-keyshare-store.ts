/** Where a keyshare server remembers accounts, and the sessions that issue their login credential. @module */
import { mistakeInAccountsStoreName } from '../../stores/open.ts'
import type { Store } from '../../stores/store.ts'
import { defaultKeyshareStorePath } from '../files/directories.ts'
import {
  checkOptionStore,
  type OptionStoreDeps,
  openOptionStore,
  type StoreOption,
} from '../open-option-store.ts'
import type { OnClose } from '../opened.ts'
import { SettingsError } from '../settings/errors.ts'

/** @param name of the option; empty: the default
 *  @throws {SettingsError} if it names no store @throws {Error} in words for an operator */
export async function openKeyshareStore(
  name: string,
  deps: OptionStoreDeps,
  onClose: OnClose,
): Promise<Store> {
  const store = await openOptionStore(optionOf(name), deps)
  onClose(() => store.close())
  return store
}

/** What opening it would meet; whether a database is there is seen at the start.
 *  @throws as `openKeyshareStore` */
export function checkKeyshareStore(name: string): void {
  checkOptionStore(optionOf(name))
}

function optionOf(name: string): StoreOption {
  const mistake = name === '' ? null : mistakeInAccountsStoreName(name)
  if (mistake !== null) throw new SettingsError(mistake)
  return { name, defaultFile: defaultKeyshareStorePath() }
}
