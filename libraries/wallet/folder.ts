/** The folder of a wallet: one file with all contents, which is replaced as a whole, and a lock. After a crash, the file has the contents either before or after
 *  the change. @module */
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { NoWalletError, refusedBySystem, WalletError } from './errors.ts'
import { type Lock, lockFile } from './lock.ts'
import { readContents, type WalletContents, writeContents } from './stored.ts'

const WALLET = 'wallet.json'
const NEXT = 'wallet.json.next'
const LOCK = 'lock'

export type WalletFolder = {
  readonly dir: string
  /** the stored contents */
  contents(): WalletContents
  /** Stores `change(contents())`. Changes run one after another. If it rejects, `contents()` is unchanged.
   *  @throws the error of `change`, or of the file system */
  update(change: (now: WalletContents) => WalletContents): Promise<void>
  /** Waits for the running change, then releases the lock. */
  close(): Promise<void>
}

/** Creates the folder (0700) and its file (0600).
 *  @throws {WalletError} if the folder is in use, or contains anything other than files of an interrupted creation */
export async function createFolder(dir: string, contents: WalletContents): Promise<WalletFolder> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await refuseUsed(dir)
  const lock = await lockFile(join(dir, LOCK))
  try {
    await refuseUsed(dir) // another process may have created a wallet before this one acquired the lock
    await store(dir, contents)
  } catch (error) {
    lock.release()
    throw error
  }
  return keep(dir, lock, contents)
}

/** @throws {NoWalletError} @throws {WalletError} if the wallet is damaged or of another version, or in use */
export async function openFolder(dir: string): Promise<WalletFolder> {
  const path = join(dir, WALLET)
  if (!existsSync(path)) throw new NoWalletError(`${dir}: no wallet there, expected a file ${WALLET}`)
  const lock = await lockFile(join(dir, LOCK))
  try {
    return keep(dir, lock, readContents(path, await readText(path)))
  } catch (error) {
    lock.release()
    throw error
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw refusedBySystem(path, 'a file that can be read', error)
  }
}

async function refuseUsed(dir: string): Promise<void> {
  const names = await readdir(dir)
  if (names.includes(WALLET)) throw new WalletError(`${dir}: there is a wallet already`)
  const foreign = names.filter(name => name !== LOCK && name !== NEXT)
  if (foreign.length > 0)
    throw new WalletError(`${dir}: expected an empty folder, got one with ${foreign.length} entries`)
}

function keep(dir: string, lock: Lock, first: WalletContents): WalletFolder {
  let contents = first
  let isClosed = false
  let last: Promise<void> = Promise.resolve()
  return {
    dir,
    contents: () => contents,
    async update(change) {
      if (isClosed) throw new WalletError(`${dir}: the wallet was closed`)
      const turn = last.then(async () => {
        const next = change(contents)
        await store(dir, next)
        contents = next
      })
      last = turn.catch(() => undefined) // the caller of this change gets its error; the next change starts from the stored contents
      await turn
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await last
      lock.release()
    },
  }
}

/** Writes a second file, flushes it, renames it over the first, and flushes the folder. One name is enough for the second file, because only the holder of
 *  the lock writes. */
async function store(dir: string, contents: WalletContents): Promise<void> {
  const next = join(dir, NEXT)
  await using file = await open(next, 'w', 0o600)
  await file.writeFile(writeContents(contents))
  await file.sync()
  await rename(next, join(dir, WALLET))
  await using folder = await open(dir, 'r')
  await folder.sync()
}
