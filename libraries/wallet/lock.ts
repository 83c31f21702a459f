/** Locks a wallet for one process. The operating system holds the lock on an open file and releases it when the process ends, for any reason. SQLite is used only
 *  for its locks; nothing is written to the file. @module */
import { open } from 'node:fs/promises'
import { refusedBySystem, WalletError } from './errors.ts'

/** The primary result code if another connection holds the lock. */
const SQLITE_BUSY = 5

export type Lock = { release(): void }

/** @throws {WalletError} if this or another process holds the lock */
export async function lockFile(path: string): Promise<Lock> {
  await makeFile(path)
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      throw new WalletError(`${path}: the wallet is in use by another process`)
    throw new WalletError(`${path}: expected the lock file of a wallet`, { cause: error })
  }
  return { release: () => database.close() }
}

async function makeFile(path: string): Promise<void> {
  try {
    const file = await open(path, 'a', 0o600)
    await file.close()
  } catch (error) {
    throw refusedBySystem(path, 'a file that can be written', error)
  }
}
