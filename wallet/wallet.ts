/** A wallet: a folder with a secret key and credentials, and what its user can do with them (spec 1, 2.4, 2.9).
 *  The secret key and the signatures stay behind this interface; what the user may see does not. @module */
import type { Arithmetic } from '../crypto/bignum/arithmetic.ts'
import { type RandomBytes, randomInteger } from '../crypto/random.ts'
import { type ClSignature, verifySignature } from '../crypto/signature.ts'
import type { AttributeTypeId, CredentialTypeId } from '../protocol/ids.ts'
import type { Schemes } from '../schemes/types.ts'
import { type Candidate, type Disclosing, findCandidates, type RequestCandidates } from './candidates.ts'
import { type Credential, indexOf, isExpired, knownCredentials, recognise, shownText } from './credential.ts'
import { WalletError } from './errors.ts'
import { createFolder, openFolder, type WalletFolder } from './folder.ts'
import { createDisclosureMessage } from './proofs.ts'
import { SECRET_KEY_BITS, type StoredCredential } from './stored.ts'

export type WalletClock = {
  /** Unix ms */
  now(): number
  /** keeps the process alive until it ends */
  setTimeout(action: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export type WalletDeps = {
  readonly schemes: Schemes
  readonly arithmetic: Arithmetic
  readonly clock: Pick<WalletClock, 'now'>
  readonly randomBytes: RandomBytes
}

/** One credential as its holder sees it. */
export type CredentialView = {
  /** names this instance within its wallet; random, says nothing about it */
  readonly id: string
  readonly type: CredentialTypeId
  /** in the order of the credential type, without its revocation attribute; null: issued as absent */
  readonly attributes: readonly { readonly id: AttributeTypeId; readonly value: string | null }[]
  readonly signedAtSec: number
  readonly expiresAtSec: number
  /** at the time of the call */
  readonly isExpired: boolean
}

/** A credential that was just issued. */
export type NewCredential = {
  /** index 1 on: metadata first */
  readonly attributes: readonly bigint[]
  readonly signature: ClSignature
}

export interface Wallet {
  readonly dir: string
  /** on: plain HTTP and requests with `devMode` are accepted (spec 5.3) */
  readonly developerMode: boolean
  /** Stored before the promise resolves. */
  setDeveloperMode(isOn: boolean): Promise<void>
  /** Oldest first, without those whose scheme is not there. */
  credentials(): readonly CredentialView[]
  /** What this wallet can answer to each outer item of `request` now, and what it lacks; bounded, see candidates.ts. */
  candidates(request: Disclosing): RequestCandidates
  /** Body of the proofs POST for the candidates that the user chose, one per outer item.
   *  @throws {RangeError} if a chosen instance is no longer in the wallet */
  disclose(
    chosen: readonly Candidate[],
    challenge: { readonly context: bigint; readonly nonce: bigint },
  ): string
  /** Check and keep what `issue` makes; a new instance of a singleton type takes the place of the old one.
   *  @param issue gets the secret key, which must not outlive the call
   *  @throws {WalletError} if a signature is wrong or a type is unknown; then nothing is kept */
  receive(issue: (secretKey: bigint) => readonly NewCredential[]): Promise<void>
  /** Releases the folder. What is asked of the wallet afterwards is not stored. */
  close(): Promise<void>
}

/** Make a folder (0700) with a new secret key and no credentials, and open it.
 *  @param dir a path that does not exist, or an empty folder
 *  @throws {WalletError} if the folder holds anything already, or is in use */
export async function createWallet(
  dir: string,
  options: { readonly developerMode: boolean },
  deps: WalletDeps,
): Promise<Wallet> {
  const secretKey = randomInteger(SECRET_KEY_BITS, deps.randomBytes)
  const contents = { developerMode: options.developerMode, secretKey, credentials: [] }
  return walletOf(await createFolder(dir, contents), deps)
}

/** @throws {WalletError} if there is no wallet in `dir`, it is damaged, or another process has it open; the message
 *  names the file and the reason, never its contents */
export async function openWallet(dir: string, deps: WalletDeps): Promise<Wallet> {
  return walletOf(await openFolder(dir), deps)
}

function walletOf(folder: WalletFolder, deps: WalletDeps): Wallet {
  const { schemes, arithmetic, clock, randomBytes } = deps
  const nowSec = (): number => Math.floor(clock.now() / 1000)
  const known = (): Credential[] => knownCredentials(folder.contents().credentials, schemes)
  return {
    dir: folder.dir,
    get developerMode() {
      return folder.contents().developerMode
    },
    setDeveloperMode: isOn => folder.update(now => ({ ...now, developerMode: isOn })),
    credentials: () => known().map(credential => viewOf(credential, nowSec())),
    candidates: request => findCandidates(request, known(), nowSec()),
    disclose: (chosen, challenge) => {
      const { secretKey } = folder.contents()
      return createDisclosureMessage(
        arithmetic,
        { chosen, credentials: known(), secretKey, ...challenge },
        randomBytes,
      )
    },
    receive: async issue => {
      const { secretKey } = folder.contents()
      const added = issue(secretKey).map(credential => admit(credential, secretKey, deps))
      await folder.update(now => ({
        ...now,
        credentials: added.reduce(withCredential(schemes), now.credentials),
      }))
    },
    close: () => folder.close(),
  }
}

function viewOf(credential: Credential, nowSec: number): CredentialView {
  const { id, type, metadata } = credential
  return {
    id,
    type: type.id,
    attributes: type.attributes.flatMap(attribute => {
      const index = indexOf(credential, attribute.id)
      return index === null ? [] : [{ id: attribute.id, value: shownText(credential, index) }]
    }),
    signedAtSec: metadata.signingDateSec,
    expiresAtSec: metadata.expiresAtSec,
    isExpired: isExpired(credential, nowSec),
  }
}

/** Never keep a credential that no proof could be made from. */
function admit(
  issued: NewCredential,
  secretKey: bigint,
  { schemes, arithmetic, randomBytes }: WalletDeps,
): Credential {
  const id = Buffer.from(randomBytes(8)).toString('hex')
  const credential = recognise({ id, ...issued }, schemes)
  if (!credential) throw new WalletError('new credential: its type or key is not among the schemes')
  const { key, signature, attributes, type } = credential
  if (attributes.length > type.attributes.length + 1)
    throw new WalletError(
      `new credential: expected at most ${type.attributes.length} attributes of ${type.id}`,
    )
  if (!verifySignature(arithmetic, key, signature, [secretKey, ...attributes]))
    throw new WalletError(`new credential: the signature of ${type.id} is not valid`)
  return credential
}

function withCredential(schemes: Schemes) {
  return (stored: readonly StoredCredential[], { type, ...added }: Credential): StoredCredential[] => {
    const isReplaced = (old: StoredCredential): boolean =>
      type.isSingleton && recognise(old, schemes)?.type.id === type.id
    const { id, attributes, signature } = added
    return [...stored.filter(old => !isReplaced(old)), { id, attributes, signature }]
  }
}
