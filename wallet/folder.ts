/** The folder of a wallet: one file with everything in it, replaced as a whole, and a lock beside it. After a crash at any moment
 *  the file is the one before the change or the one after it. @module */
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { NoWallet, refusedBySystem, WalletError } from './errors.ts'
import { type Lock, lockFile } from './lock.ts'
import { readContents, type WalletContents, writeContents } from './stored.ts'

const WALLET = 'wallet.json'
const NEXT = 'wallet.json.next'
const LOCK = 'lock'

export type WalletFolder = {
  readonly dir: string
  /** as last stored */
  contents(): WalletContents
  /** Store `change(contents())`; changes are made one after the other. When it rejects, `contents()` is what it was.
   *  @throws what `change` throws, or the error of the file system */
  update(change: (now: WalletContents) => WalletContents): Promise<void>
  /** Waits for a change under way, then releases the lock. */
  close(): Promise<void>
}

/** Make the folder (0700) and its file (0600).
 *  @throws {WalletError} if the folder holds anything but what a creation that was cut short left there, or is in use */
export async function createFolder(dir: string, contents: WalletContents): Promise<WalletFolder> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await refuseUsed(dir)
  const lock = await lockFile(join(dir, LOCK))
  try {
    await refuseUsed(dir) // another process may have made a wallet before this one had the lock
    await store(dir, contents)
  } catch (error) {
    lock.release()
    throw error
  }
  return keep(dir, lock, contents)
}

/** @throws {NoWallet} @throws {WalletError} if the wallet is damaged or of another version, or in use */
export async function openFolder(dir: string): Promise<WalletFolder> {
  const path = join(dir, WALLET)
  if (!existsSync(path)) throw new NoWallet(`${dir}: no wallet there, expected a file ${WALLET}`)
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
      last = turn.catch(() => undefined) // whoever asked for this turn gets its error; the next one starts from what was kept
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

/** Write beside the file, flush, put in its place, flush the folder. Only the holder of the lock comes here, so one name is enough. */
async function store(dir: string, contents: WalletContents): Promise<void> {
  const next = join(dir, NEXT)
  await using file = await open(next, 'w', 0o600)
  await file.writeFile(writeContents(contents))
  await file.sync()
  await rename(next, join(dir, WALLET))
  await using folder = await open(dir, 'r')
  await folder.sync()
}
