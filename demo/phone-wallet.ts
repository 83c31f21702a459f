/** The wallet on the phone: a new, empty one in a temporary folder, or one that is kept for the next run. @module */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseArithmetic } from '../crypto/bignum/choose.ts'
import type { SessionDeps } from '../libraries/wallet/session.ts'
import { createWallet, openWallet, type Wallet } from '../libraries/wallet/wallet.ts'
import type { Schemes } from '../schemes/types.ts'
import type { OnClose } from '../server/closable.ts'
import type { DemoOptions } from './options.ts'

/** The only folder that the demo deletes. */
const FOLDER = 'phone'

export type Phone = {
  /** returns the dependencies with the current wallet */
  session(): SessionDeps
  /** Replaces the wallet with a new one: a new secret key and no cards. */
  empty(): Promise<void>
}

export type PhoneParts = {
  /** from `phoneFolder` */
  readonly folder: string
  readonly schemes: Schemes
  /** resolves the names of the web sites */
  readonly fetch: SessionDeps['fetch']
}

/** Opens the wallet in developer mode, because the servers of the demo use plain HTTP.
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
      replaced = replaced.catch(() => undefined).then(replace) // one replacement at a time
      return replaced
    },
  }
}

/** The folder of the wallet and of the files kept with it. */
export async function phoneFolder(
  { keepIn, dataDir = tmpdir() }: Pick<DemoOptions, 'keepIn' | 'dataDir'>,
  onClose: OnClose,
): Promise<string> {
  if (keepIn !== undefined) {
    await mkdir(keepIn, { recursive: true, mode: 0o700 })
    return keepIn
  }
  return temporaryFolder(dataDir, onClose)
}

export async function temporaryFolder(dataDir: string, onClose: OnClose): Promise<string> {
  const folder = await mkdtemp(join(dataDir, 'svc-demo-'))
  onClose(() => rm(folder, { recursive: true, force: true }))
  return folder
}
