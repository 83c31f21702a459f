/** `svc keyshare import` in a process of its own, for tests. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { systemRandomness } from '../../ports/randomness.ts'
import { openStore } from '../../stores/open.ts'
import type { Store } from '../../stores/store.ts'
import { runSvc } from '../cli/run-svc.ts'
import { NEEDED } from '../server/keyshare/node.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { STORAGE_KEY_FILES } from './dump.ts'

export const DUMP = 'keyshare-database.sql'
/** Files of the storage keys that are not in the settings. */
export const [, ...OLDER_KEYS] = STORAGE_KEY_FILES
export type Target = { readonly store: string; readonly settings: string; readonly folder: string }

export function newTarget(store?: string): Target {
  const folder = temporaryFolder()
  const name = store ?? `sqlite:${join(folder, 'keyshare.sqlite')}`
  const settings = join(folder, 'svckeyshare.json')
  writeFileSync(settings, JSON.stringify({ ...NEEDED, store: name }))
  return { store: name, settings, folder }
}

export function importFrom(from: string, { settings }: Target, ...words: readonly string[]) {
  const keys = OLDER_KEYS.flatMap(file => ['--storage-key-file', file])
  return runSvc(['keyshare', 'import', '--config', settings, '--from', from, '-q', ...keys, ...words])
}

export async function imported(
  from: string,
  target: Target,
  ...words: readonly string[]
): Promise<readonly string[]> {
  const { code, stdout, stderr } = await importFrom(from, target, ...words)
  assert.is(code, 0, stderr)
  return stdout.trimEnd().split('\n')
}

export async function withStore<Result>(
  { store }: Target,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const opened = await openStore(store, systemRandomness.token())
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}
