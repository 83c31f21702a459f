/** Where a keyshare server remembers accounts, and where the sessions that issue their login credential. @module */
import type { AccountsStore, Store } from '../../stores/store.ts'
import { defaultKeyshareStorePath } from '../files/directories.ts'
import { type OptionStoreDeps, openOptionStore } from '../open-option-store.ts'
import type { OnClose } from '../opened.ts'
import type { Instead } from '../world.ts'

export type KeyshareStores = { readonly accounts: AccountsStore; readonly sessions: Store }

/** @param name of the option; empty: the default
 *  @throws {SettingsError} if it names no store @throws {Error} in words for an operator */
export async function openKeyshareStores(
  name: string,
  { store: given }: Pick<Instead, 'store'>,
  deps: OptionStoreDeps,
  onClose: OnClose,
): Promise<KeyshareStores> {
  if (given) return { accounts: given, sessions: given }
  const store = await openOptionStore({ name, defaultFile: defaultKeyshareStorePath() }, deps)
  onClose(() => store.close())
  return { accounts: store, sessions: store }
}
