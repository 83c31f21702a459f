/** The files that SQLite keeps beside the file of a store while somebody uses it: the write-ahead log, and the index of it by which the processes on one
 *  file hear of each other's commits. When one of them is deleted, SQLite goes on with what has no name any more, and the next process that opens the
 *  store makes others: neither knows of the other then. @module */
import { realpathSync, statSync } from 'node:fs'
import { StoreLost } from '../../store-failure.ts'

export class LogFiles {
  readonly #file: string
  /** path -> what was there when the store was opened */
  readonly #opened: ReadonlyMap<string, string>

  /** @param file something was written to it */
  constructor(file: string) {
    this.#file = file
    const path = realpathSync(file) // SQLite follows a link first
    this.#opened = new Map([`${path}-wal`, `${path}-shm`].map(beside => [beside, identityOf(beside)]))
  }

  /** @throws {StoreLost} if one of them is gone, or another one */
  assertThere(): void {
    for (const [path, opened] of this.#opened) {
      const found = identityOf(path)
      if (found === opened) continue
      const got = found === NONE ? 'none' : 'another one'
      throw new StoreLost(
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
