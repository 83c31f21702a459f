/** Watches the files that SQLite keeps beside a store in use: the write-ahead log, and its index, by which the processes on one file see each other's
 *  commits. If one of them is deleted, SQLite continues with the unlinked file. The next process that opens the store creates new ones, and then
 *  neither process sees the other. @module */
import { realpathSync, statSync } from 'node:fs'
import { StoreLostError } from '../../store-error.ts'

export class LogFiles {
  readonly #file: string
  /** path -> identity of the file when the store was opened */
  readonly #opened: ReadonlyMap<string, string>

  /** @param file that was written to before, so that its log exists */
  constructor(file: string) {
    this.#file = file
    const path = realpathSync(file) // SQLite resolves symbolic links too
    this.#opened = new Map([`${path}-wal`, `${path}-shm`].map(beside => [beside, identityOf(beside)]))
  }

  /** @throws {StoreLostError} if one of the files is gone or was replaced */
  assertThere(): void {
    for (const [path, opened] of this.#opened) {
      const found = identityOf(path)
      if (found === opened) continue
      const got = found === NONE ? 'none' : 'another one'
      throw new StoreLostError(
        `store ${this.#file}: expected ${path} as it was opened, got ${got}, so that another process may use the store unnoticed: this one ends; leave that file to SQLite`,
      )
    }
  }
}

const NONE = 'none'

function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev} ${found.ino}` : NONE
}
