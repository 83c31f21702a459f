/** `svc wallet init | list | show`: creates a wallet and shows its content. Attribute values are printed to standard output, because their holder asked for them.
 *  @module */

import { X509Certificate } from 'node:crypto'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { NoWalletError } from '../../libraries/wallet/errors.ts'
import { refreshWitnesses } from '../../libraries/wallet/refresh.ts'
import type { SdJwtBatchView } from '../../libraries/wallet/sd-jwt/batches.ts'
import {
  type CredentialView,
  createWallet,
  openWallet,
  type Wallet,
  type WalletDeps,
} from '../../libraries/wallet/wallet.ts'
import { type Clock, createSystemClock } from '../../ports/clock.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { pemBlocks } from '../../schemes/sd-jwt/certificates.ts'
import { defaultWalletPath } from '../../server/files/directories.ts'
import { makeFolder } from '../../server/files/paths.ts'
import { schemesOfCommand } from '../../server/files/schemes-folder.ts'
import { createLog } from '../../server/log/log.ts'
import { readText } from '../read-text.ts'
import type { AnswerFlags, InitFlags, WalletFlags } from './flags.ts'

/** The dependencies of a wallet, and of its commands. */
export type WalletCommandDeps = WalletDeps & { readonly clock: Clock }

/** Opens the wallet of the flags, uses it, and closes it. */
export async function withWallet<Result>(
  flags: WalletFlags & Pick<AnswerFlags, 'sdJwtRoots'>,
  use: (wallet: Wallet, deps: WalletCommandDeps) => Promise<Result>,
): Promise<Result> {
  const deps = await walletDeps(flags)
  const wallet = await openWallet(flags.dir ?? defaultWalletPath(), deps).catch((error: unknown) => {
    if (!(error instanceof NoWalletError)) throw error
    throw new Error(`${error.message}; svc wallet init makes one there, and with --demo one with demo cards`)
  })
  return use(wallet, deps).finally(() => wallet.close())
}

async function walletDeps({
  schemesPath,
  sdJwtRoots,
}: WalletFlags & Pick<AnswerFlags, 'sdJwtRoots'>): Promise<WalletCommandDeps> {
  const schemes = await loadSchemes(schemesOfCommand(schemesPath))
  return {
    schemes,
    arithmetic: chooseArithmetic('auto'),
    clock: createSystemClock({ keepsAlive: true }),
    randomBytes: systemRandomness.bytes,
    ...(sdJwtRoots !== undefined && { sdJwtRoots: certificatesIn(sdJwtRoots) }),
  }
}

/** @throws {Error} in words for the user */
function certificatesIn(file: string): readonly X509Certificate[] {
  const text = readText('--sd-jwt-roots', file)
  const blocks = pemBlocks(text).filter(({ label }) => label === 'CERTIFICATE')
  try {
    if (blocks.length > 0) return blocks.map(block => new X509Certificate(block.text))
  } catch {
    // the message of OpenSSL names no option
  }
  throw new Error(`--sd-jwt-roots: expected certificates in PEM in ${file}, got another text`)
}

/** @param say prints the result */
export async function initWallet(flags: InitFlags, say = print): Promise<void> {
  const { demo: isDemo = false, developerMode = isDemo } = flags
  const deps = await walletDeps(flags)
  const dir = flags.dir ?? defaultWalletPath()
  makeFolder('--dir', dir)
  const wallet = await createWallet(dir, { developerMode }, deps)
  try {
    if (isDemo) await fill(wallet, deps)
    say(`${wallet.credentials().length} credentials in ${dir}`)
  } finally {
    await wallet.close()
  }
}

async function fill(wallet: Wallet, { schemes }: WalletCommandDeps): Promise<void> {
  const { obtainCredentials } = await import('../../demo/obtain-credentials.ts')
  const { DEMO_CREDENTIALS } = await import('../../demo/wallet-credentials.ts')
  const log = createLog({ verbose: 0, quiet: false, log_json: false })
  log.level = 'error'
  const clock = createSystemClock()
  await obtainCredentials(wallet, DEMO_CREDENTIALS, { schemes, clock, random: systemRandomness, log })
}

export async function listCredentials(flags: WalletFlags): Promise<void> {
  await withWallet(flags, async wallet => {
    for (const credential of wallet.credentials()) print(titleOf(credential))
    for (const batch of wallet.sdJwts.list()) print(titleOfBatch(batch))
  })
}

export async function showCredentials(flags: WalletFlags, wanted: string | undefined): Promise<void> {
  await withWallet(flags, async wallet => {
    const isShown = ({ id, type }: CredentialView) => wanted === undefined || wanted === id || wanted === type
    const shown = wallet.credentials().filter(isShown)
    if (wanted !== undefined && shown.length === 0)
      throw new Error(`wallet show: expected the name or type of a credential, got ${JSON.stringify(wanted)}`)
    const ofType = wallet.sdJwts.list().filter(({ type }) => wanted === undefined || wanted === type)
    for (const credential of shown) {
      print(titleOf(credential))
      for (const { id, value } of credential.attributes) print(`  ${nameOf(id)}: ${value ?? '(none)'}`)
    }
    for (const batch of ofType) {
      print(titleOfBatch(batch))
      for (const [name, value] of Object.entries(batch.attributes)) print(`  ${name}: ${value}`)
    }
  })
}

/** Updates the witnesses of a wallet.
 *  @throws {Error} if some could not be updated */
export async function updateWallet(flags: WalletFlags): Promise<void> {
  await withWallet(flags, async (wallet, { clock }) => {
    const { count, outdated } = await refreshWitnesses({ wallet, fetch: systemFetch, clock })
    const revoked = wallet.credentials().filter(({ revocation }) => revocation?.isRevoked)
    print(`${count - outdated.size} of ${count} credentials that can be revoked are up to date`)
    for (const credential of revoked) print(titleOf(credential))
    if (outdated.size > 0)
      throw new Error(
        `wallet update: expected an answer for ${[...outdated].join(', ')}, got none that is right`,
      )
  })
}

function titleOf({ id, type, expiresAtSec, isExpired, revocation }: CredentialView): string {
  const expires = `${isExpired ? 'expired' : 'expires'} ${dateOf(expiresAtSec)}`
  const standing =
    revocation && (revocation.isRevoked ? 'revoked' : `not revoked on ${dateOf(revocation.asOfSec)}`)
  return [id, type, expires, standing].filter(Boolean).join('  ')
}

/** The first column of a credential is its name, which a batch does not have. */
function titleOfBatch({ type, issuer, count, expiresAtSec, isExpired }: SdJwtBatchView): string {
  const expires = `${isExpired ? 'expired' : 'expires'} ${dateOf(expiresAtSec)}`
  return [`SD-JWT x${count}`, type, expires, `issued by ${issuer}`].join('  ')
}

function dateOf(atSec: number): string {
  return new Date(atSec * 1000).toISOString().slice(0, 10)
}

function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1)
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
