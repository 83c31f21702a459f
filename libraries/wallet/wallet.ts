/** A wallet: a folder with a secret key and credentials, and the operations of its user (spec/interface#1, #2.4, #2.9). This interface never returns the secret key or
 *  signatures, only data that the user may see. @module */
import type { X509Certificate } from 'node:crypto'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import type { CommitmentProof } from '../../crypto/commitment.ts'
import type { DisclosureProof } from '../../crypto/disclosure.ts'
import type { CreatedProofs, KeyshareParts } from '../../crypto/proof-list.ts'
import { type RandomBytes, randomInteger } from '../../crypto/random.ts'
import { readAccumulator } from '../../crypto/revocation/accumulator.ts'
import type { Clock } from '../../ports/clock.ts'
import { type AttributeTypeId, type CredentialTypeId, type SchemeId, schemeOf } from '../../protocol/ids.ts'
import type { DisclosureIndices } from '../../protocol/proofs-json.ts'
import type { IssuedCredential } from '../../protocol/server-session-response.ts'
import type { Schemes } from '../../schemes/types.ts'
import { type Candidate, type DisclosureQuery, findCandidates, type RequestCandidates } from './candidates.ts'
import { completeCredentials } from './complete.ts'
import { type Credential, indexOf, isExpired, knownCredentials, recognise, shownText } from './credential.ts'
import { createFolder, openFolder, type WalletFolder } from './folder.ts'
import type { AuthenticationToken, KeyshareAccount } from './keyshare/account.ts'
import { withSync } from './keyshare/with-sync.ts'
import { type Offer, type OfferRequest, readOffers } from './offers.ts'
import { type DraftedProofs, draftAnswer, type ProofKeys, type ProofRequest } from './proofs.ts'
import { type WalletSdJwts, walletSdJwts, withSdJwts } from './sd-jwt/issuance.ts'
import type { BoundSdJwt } from './sd-jwt/verify.ts'
import {
  SECRET_KEY_BITS,
  type StoredCredential,
  type StoredRevocation,
  type WalletContents,
} from './stored.ts'
import { stampedNonce, timestampServerOf } from './timestamp.ts'
import { bringUpToDate, type LatestUpdate, type MissingEvents, type Revocations } from './witnesses.ts'

export type WalletDeps = {
  readonly schemes: Schemes
  readonly arithmetic: Arithmetic
  readonly clock: Pick<Clock, 'wallNow'>
  readonly randomBytes: RandomBytes
  /** CAs whose issuers may issue SD-JWTs. Left out: none, and in developer mode every issuer. */
  readonly sdJwtRoots?: readonly X509Certificate[]
}

/** A credential as shown to its holder. */
export type CredentialView = {
  /** id of this instance in its wallet; random, and unrelated to its content */
  readonly id: string
  readonly type: CredentialTypeId
  /** in the order of the credential type, without its revocation attribute; null: issued as absent */
  readonly attributes: readonly { readonly id: AttributeTypeId; readonly value: string | null }[]
  readonly signedAtSec: number
  readonly expiresAtSec: number
  /** at the time of the call */
  readonly isExpired: boolean
  /** null: the credential cannot be revoked */
  readonly revocation: {
    readonly isRevoked: boolean
    /** time of the last known accumulator: the instance was unrevoked then, or is known to be revoked */
    readonly asOfSec: number
  } | null
}

export interface Wallet {
  readonly dir: string
  /** true: plain HTTP and requests with `devMode` are accepted (spec/interface#5.3) */
  readonly developerMode: boolean
  /** Stored before the promise resolves. */
  setDeveloperMode(isOn: boolean): Promise<void>
  /** Oldest first. Credentials whose scheme is not installed are left out. */
  credentials(): readonly CredentialView[]
  readonly sdJwts: WalletSdJwts
  /** Updates witnesses, and finds revoked instances. Stored before the promise resolves.
   *  @param latest the latest update of a type and key, not verified; null: the witnesses of this type and key are not updated
   *  @param events the events before that update
   *  @returns ids of the instances that could not be updated, because no valid data were available
   *  @throws {CancelledError} */
  updateWitnesses(latest: LatestUpdate, events: MissingEvents): Promise<ReadonlySet<string>>
  /** The candidates for each outer item of `request`, and what is missing. Bounded, see candidates.ts.
   *  @param earlier candidates of the previous session in a chain, to be disclosed again
   *  @param outdated from `updateWitnesses` */
  candidates(
    request: DisclosureQuery,
    earlier?: readonly Candidate[],
    outdated?: ReadonlySet<string>,
  ): RequestCandidates
  /** Checks offers against the schemes.
   *  @throws {SessionError} `bad-offer` */
  offers(credentials: readonly OfferRequest[]): Offer[]
  /** First half of a submission: proofs for the user's choices, and a commitment for each offer. They are not bound to a nonce yet.
   *  @throws {RangeError} if a chosen instance is no longer in the wallet */
  draft(request: ProofRequest): Draft
  readonly schemes: Schemes
  /** Accounts at keyshare servers. */
  accounts(): readonly KeyshareAccount[]
  /** Stored before the promise resolves. */
  setOutOfSync(scheme: SchemeId, isOutOfSync: boolean): Promise<void>
  /** Removes an account that its server deleted, and the credentials of its scheme, which are unusable without the server. Stored before the promise resolves. */
  forgetAccount(scheme: SchemeId): Promise<void>
  /** The tokens of the accounts, by scheme. Every user of this wallet may add and remove tokens. Secret, and only in memory. */
  readonly tokens: Map<SchemeId, AuthenticationToken>
  /** Releases the folder. Later changes are not stored. */
  close(): Promise<void>
}

export type Draft = {
  /** by outer item: the position of each attribute in the proofs */
  readonly indices: DisclosureIndices
  /** address of the timestamp server for the disclosed attributes; null: none
   *  @throws {SessionError} `no-timestamp`, if there are several */
  timestampServer(): string | null
  /** the hash to timestamp */
  stampedNonce(message: string): Uint8Array
  readonly keys: ProofKeys
  readonly contributions: DraftedProofs['contributions']
  readonly context: bigint
  readonly isSignature: boolean
  /** Binds the draft to a nonce. Only one of the results may respond, once.
   *  @param parts commitments of keyshare servers */
  bind(nonce: bigint, parts: KeyshareParts): BoundDraft
}

export type BoundDraft = {
  readonly challenge: bigint
  /** responds with the wallet's own half of every proof */
  respond(): FinishedProofs
}

export type FinishedProofs = {
  readonly disclosures: readonly DisclosureProof[]
  /** one per offer, in their order */
  readonly commitments: readonly CommitmentProof[]
  /** Verifies the issued credentials and stores all of them together. A new instance of a singleton type replaces the old one.
   *  @param issued one per offer, in their order
   *  @param registered the account that this issuance completes, stored together with the credentials; null: none
   *  @param sdJwts verified, and stored together with the credentials
   *  @throws {SessionError} `wrong-credential`; nothing is stored then */
  receive(
    issued: readonly IssuedCredential[],
    n2: bigint,
    registered: KeyshareAccount | null,
    sdJwts?: readonly BoundSdJwt[],
  ): Promise<void>
}

/** Creates a folder (0700) with a new secret key and no credentials, and opens it.
 *  @param dir a path that does not exist, or an empty folder
 *  @throws {WalletError} if the folder is not empty, or is in use */
export async function createWallet(
  dir: string,
  options: { readonly developerMode: boolean },
  deps: WalletDeps,
): Promise<Wallet> {
  const secretKey = randomInteger(SECRET_KEY_BITS, deps.randomBytes)
  const contents = { developerMode: options.developerMode, secretKey, credentials: [], accounts: [] }
  return walletOf(await createFolder(dir, contents), deps)
}

/** @throws {WalletError} if there is no wallet in `dir`, it is damaged, or another process has it open. The message contains the file name and the reason, never
 *  the contents. */
export async function openWallet(dir: string, deps: WalletDeps): Promise<Wallet> {
  return walletOf(await openFolder(dir), deps)
}

function walletOf(folder: WalletFolder, deps: WalletDeps): Wallet {
  const { schemes, arithmetic, clock, randomBytes } = deps
  const nowSec = (): number => Math.floor(clock.wallNow() / 1000)
  const known = (): Credential[] => knownCredentials(folder.contents().credentials, schemes)
  return {
    dir: folder.dir,
    get developerMode() {
      return folder.contents().developerMode
    },
    setDeveloperMode: isOn => folder.update(now => ({ ...now, developerMode: isOn })),
    credentials: () => known().map(credential => viewOf(credential, nowSec())),
    sdJwts: walletSdJwts(folder, deps),
    async updateWitnesses(latest, events) {
      const { changed, outdated } = await bringUpToDate(arithmetic, known(), latest, events)
      if (changed.size > 0) await folder.update(withRevocations(changed))
      return outdated
    },
    candidates: (request, earlier, outdated) =>
      findCandidates(
        request,
        { credentials: known(), nowSec: nowSec(), ...(outdated && { outdated }) },
        earlier,
      ),
    offers: credentials => readOffers(credentials, schemes, nowSec()),
    draft: request => {
      const { secretKey } = folder.contents()
      const drafted = draftAnswer(arithmetic, request, { credentials: known(), secretKey }, randomBytes)
      const { indices, keys, contributions } = drafted
      const { context, isSignature } = request
      const bind = (nonce: bigint, parts: KeyshareParts): BoundDraft => {
        const { challenge, respond } = drafted.bind(nonce, parts)
        return { challenge, respond: () => finish(folder, request, { ...respond(), parts }, deps) }
      }
      return {
        ...{ indices, keys, contributions, context, isSignature, bind },
        timestampServer: () => timestampServerOf(drafted.stamped, schemes),
        stampedNonce: message => stampedNonce(arithmetic, drafted.stamped, message),
      }
    },
    schemes,
    accounts: () => folder.contents().accounts,
    setOutOfSync: (scheme, isOutOfSync) => folder.update(withSync(scheme, isOutOfSync)),
    forgetAccount: scheme => folder.update(withoutAccount(scheme, schemes)),
    tokens: new Map(),
    close: () => folder.close(),
  }
}

function viewOf(credential: Credential, nowSec: number): CredentialView {
  const { id, type, metadata, revocation } = credential
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
    revocation: revocation
      ? { isRevoked: revocation.isRevoked, asOfSec: accumulatedAtSec(revocation) }
      : null,
  }
}

function withoutAccount(scheme: SchemeId, schemes: Schemes) {
  const isOf = (stored: StoredCredential): boolean => {
    const type = recognise(stored, schemes)?.type
    return type !== undefined && schemeOf(type.id) === scheme
  }
  return (now: WalletContents): WalletContents => ({
    ...now,
    accounts: now.accounts.filter(account => account.scheme !== scheme),
    credentials: now.credentials.filter(stored => !isOf(stored)),
  })
}

function withRevocations(changed: Revocations) {
  return (now: WalletContents): WalletContents => ({
    ...now,
    credentials: now.credentials.map(credential => {
      const revocation = changed.get(credential.id)
      return revocation && isNews(revocation, credential.revocation)
        ? { ...credential, revocation }
        : credential
    }),
  })
}

/** False if another session has stored a later state meanwhile. */
function isNews(found: StoredRevocation, known: StoredRevocation | undefined): boolean {
  if (known === undefined || known.isRevoked) return false
  return found.isRevoked || accumulatedAtSec(found) >= accumulatedAtSec(known)
}

function accumulatedAtSec({ witness }: StoredRevocation): number {
  return readAccumulator(witness.signed).atSec
}

function finish(
  folder: WalletFolder,
  { offers, context }: ProofRequest,
  { disclosures, commitments, parts }: CreatedProofs & { readonly parts: KeyshareParts },
  { schemes, arithmetic, clock, randomBytes }: WalletDeps,
): FinishedProofs {
  return {
    disclosures,
    commitments: commitments.map(({ proof }) => proof),
    receive: async (issued, n2, registered, sdJwts = []) => {
      const { secretKey } = folder.contents()
      const issuance = { secretKey, context, n2, nowSec: Math.floor(clock.wallNow() / 1000) }
      const answered = { offers, commitments, issued, parts: parts.commitments }
      const added = completeCredentials(arithmetic, answered, issuance)
      const named = added.map(each => ({ id: Buffer.from(randomBytes(8)).toString('hex'), ...each }))
      await folder.update(now => ({
        ...now,
        credentials: named.reduce(withCredential(schemes), now.credentials),
        accounts: registered !== null ? [...now.accounts, registered] : now.accounts,
        sdJwts: withSdJwts(now.sdJwts ?? [], sdJwts, offers),
      }))
    },
  }
}

function withCredential(schemes: Schemes) {
  return (stored: readonly StoredCredential[], added: StoredCredential): StoredCredential[] => {
    const type = recognise(added, schemes)?.type
    const isReplaced = (old: StoredCredential): boolean =>
      type?.isSingleton === true && recognise(old, schemes)?.type.id === type.id
    return [...stored.filter(old => !isReplaced(old)), added]
  }
}
