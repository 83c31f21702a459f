/** One process per SQLite file: a second node would void the claims of the first. The lock is SQLite's own, on a file beside the store, so
 *  that it ends with its process, however that ends, and the store itself stays readable for others (backups, a look inside). @module */
import { openSqlite } from './sqlite.ts'

const BUSY = 5

function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined
}

/** @param file of the store
 *  @returns release
 *  @throws if another process holds it */
export async function holdFile(file: string): Promise<() => void> {
  const lock = await openSqlite(`${file}.lock`)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (errorCode(error) !== BUSY) throw error
    throw new Error(`store ${file}: expected to be its only process, but another one uses it`, {
      cause: error,
    })
  }
  return () => lock.close()
}
