/** The wallet on the phone: a new and empty one in a folder that goes at the end, or one that is kept for the next time. @module */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseArithmetic } from '../crypto/bignum/choose.ts'
import type { Schemes } from '../schemes/types.ts'
import type { OnClose } from '../server/opened.ts'
import type { SessionDeps } from '../wallet/session.ts'
import { createWallet, openWallet, type Wallet } from '../wallet/wallet.ts'
import type { DemoOptions } from './options.ts'

/** The only folder that the demo ever deletes. */
const FOLDER = 'phone'

export type Phone = {
  /** with the wallet of this moment */
  session(): SessionDeps
  /** A new wallet, with a new secret key and no cards, in the place of this one. */
  empty(): Promise<void>
}

export type PhoneParts = {
  /** from `phoneFolder` */
  readonly folder: string
  readonly schemes: Schemes
  /** finds the web sites by their names */
  readonly fetch: SessionDeps['fetch']
}

/** In developer mode, because the servers of the demo speak plain HTTP.
 *  @throws {WalletError} if the kept wallet is damaged, or another demo has it open */
export async function openPhone(
  { arithmetic = 'auto', clock, random }: DemoOptions,
  { folder, schemes, fetch }: PhoneParts,
  onClose: OnClose,
): Promise<Phone> {
  const deps = { schemes, arithmetic: chooseArithmetic(arithmetic), clock, randomBytes: random.bytes }
  const dir = join(folder, FOLDER)
  const create = (): Promise<Wallet> => createWallet(dir, { developerMode: true }, deps)
  let wallet = existsSync(dir) ? await openWallet(dir, deps) : await create()
  onClose(() => wallet.close())
  async function replace(): Promise<void> {
    await wallet.close()
    await rm(dir, { recursive: true, force: true })
    wallet = await create()
  }
  let replaced = Promise.resolve()
  return {
    session: () => ({ wallet, fetch, clock, randomBytes: random.bytes }),
    empty() {
      replaced = replaced.catch(() => undefined).then(replace) // one at a time
      return replaced
    },
  }
}

/** Where the wallet is, and what else is kept with it. */
export async function phoneFolder(
  { keepIn, dataDir = tmpdir() }: Pick<DemoOptions, 'keepIn' | 'dataDir'>,
  onClose: OnClose,
): Promise<string> {
  if (keepIn !== undefined) {
    await mkdir(keepIn, { recursive: true, mode: 0o700 })
    return keepIn
  }
  const folder = await mkdtemp(join(dataDir, 'svc-demo-'))
  onClose(() => rm(folder, { recursive: true, force: true }))
  return folder
}
