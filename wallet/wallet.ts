/** A wallet: a folder with a secret key and credentials, and what its user can do with them (spec 1, 2.4, 2.9).
 *  The secret key and the signatures never leave this folder of the project; what is shown to the user does. @module */
import type { AttributeTypeId, CredentialTypeId } from '../protocol/ids.ts'
import type { Disclosing, RequestCandidates } from './candidates.ts'

export type WalletClock = {
  /** Unix ms */
  now(): number
  setTimeout(action: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

/** One credential as its holder sees it. */
export type CredentialView = {
  /** names this instance within its wallet, random, no fact of the credential */
  readonly id: string
  readonly type: CredentialTypeId
  /** in the order of the credential type, without its revocation attribute; null: issued as absent */
  readonly attributes: readonly { readonly id: AttributeTypeId; readonly value: string | null }[]
  readonly signedAtSec: number
  readonly expiresAtSec: number
  /** by the clock of the wallet, at the time of the call */
  readonly isExpired: boolean
}

/** Which candidate answers each outer item of a request: an index into `items[i].candidates`. */
export type Choices = readonly number[]

export interface Wallet {
  readonly dir: string
  /** on: plain HTTP and requests with `devMode` are accepted (spec 5.3) */
  readonly developerMode: boolean
  /** Stored before the promise resolves. */
  setDeveloperMode(isOn: boolean): Promise<void>
  /** in the order they were added */
  credentials(): readonly CredentialView[]
  /** What this wallet can answer to each outer item of `request` now, and what it lacks. Bounded, see candidates.ts. */
  candidates(request: Disclosing): RequestCandidates
  /** Releases the folder; the wallet cannot be used afterwards. */
  close(): Promise<void>
}

/** Make a folder (0700) with a new secret key and no credentials, and open it.
 *  @param dir a path that does not exist, or an empty folder
 *  @throws {WalletError} if the folder holds anything already, or is in use */
export declare function createWallet(
  dir: string,
  options: { readonly developerMode: boolean },
  deps: WalletDeps,
): Promise<Wallet>

/** @throws {WalletError} if there is no wallet in `dir`, it is damaged, or another process has it open; the message
 *  names the file and the reason, never its contents */
export declare function openWallet(dir: string, deps: WalletDeps): Promise<Wallet>

export type WalletDeps = {
  // schemes: Schemes (schemes/), arithmetic: Arithmetic (crypto/bignum/): added when those folders land
  readonly clock: WalletClock
  /** cryptographically strong */
  readonly randomBytes: (count: number) => Uint8Array
}
