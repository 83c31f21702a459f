/** Judges an issuance commitment message (spec/cryptography#9.2, spec/session-server#9.6) in the order of the spec. First it checks the
 *  kinds and the number of proofs. Then it joins the parts of the keyshare servers to the proofs and verifies all of them together. It signs nothing.
 *  Pure except for the services. @module */
import type { CommitmentToVerify } from '../crypto/commitment.ts'
import { type KeyshareProof, mergeIntoCommitment, mergeIntoDisclosure } from '../crypto/keyshare/merge.ts'
import type { ProofList } from '../crypto/proof-list.ts'
import type { CommitmentMessage } from '../protocol/commitment-message.ts'
import { AttributesExpiredError, InvalidProofsError, MalformedInputError } from '../protocol/errors.ts'
import { type CredentialTypeId, issuerOf, type SchemeId, schemeOf } from '../protocol/ids.ts'
import type { ReadProof } from '../protocol/proofs-json.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import type { Schemes } from '../schemes/types.ts'
import { CONTEXT, INVALID, judgeDisclosed, type RequestedDisclosures } from './check-disclosure.ts'
import type { CheckedSubmission, CheckServices } from './checked-submission.ts'
import type { KnownProof } from './disclosed.ts'
import { type KeyshareV1, type NoteFirstVersion, requireVersion } from './first-version.ts'
import type { LongValues } from './hashed-values.ts'
import { issuedType, randomBlindIndices } from './issue-credentials.ts'
import { readKeyshareJwt } from './keyshare-jwt.ts'
import { hasSingletonTwice, knownProofs, proofsToVerify } from './known-proofs.ts'
import type { NonRevocationFacts } from './non-revocation.ts'

export type CommitmentsToCheck = {
  readonly request: RequestedDisclosures & { readonly credentials: readonly CredentialRequest[] }
  readonly message: CommitmentMessage
  readonly nonce: bigint
  readonly nowSec: number
  readonly schemes: Schemes
  readonly nonRevocation: NonRevocationFacts
  readonly longValues: LongValues
  readonly keyshareV1: KeyshareV1
  /** false: the answer has no field for a proof status, so every status but `VALID` is an error (spec/decisions#d23) */
  readonly hasProofStatus: boolean
}

type CommitmentServices = Pick<CheckServices, 'verify' | 'noteFirstVersion'>

const NOTHING_TO_ISSUE: CheckedSubmission = { judgement: INVALID, commitments: null }

/** @throws {MalformedInputError} for too few proofs, a commitment in the place of a disclosure, or a disclosure under an unknown key
 *  @throws {KeyshareProofMissingError} if the part of a keyshare server is missing, is not its own, or is of a version that is refused
 *  @throws {InvalidProofsError} {AttributesExpiredError} for a proof status other than `VALID`, if the answer has no field for it
 *  @throws {ExceptionError} for an index above the number of proofs
 *  @throws {IssuanceFailedError} if the schemes no longer have the credential type or the key
 *  @throws errors of `verify`, unchanged */
export async function checkCommitments(
  input: CommitmentsToCheck,
  services: CommitmentServices,
): Promise<CheckedSubmission> {
  const checked = await judgeCommitments(input, services)
  const { proofStatus } = checked.judgement
  if (input.hasProofStatus || proofStatus === 'VALID') return checked
  throw proofStatus === 'EXPIRED' ? new AttributesExpiredError() : new InvalidProofsError()
}

async function judgeCommitments(
  input: CommitmentsToCheck,
  { verify, noteFirstVersion }: CommitmentServices,
): Promise<CheckedSubmission> {
  const { request, message, nonce, nowSec, schemes, nonRevocation, longValues } = input
  const { disclosures, commitments } = split(message.proofs, request.credentials.length)
  const known = knownProofs(
    disclosures.map(({ proof }) => proof),
    schemes,
    MalformedInputError,
  )
  if (known === null) return NOTHING_TO_ISSUE
  const keyshares = await readKeyshares(input, known, noteFirstVersion)
  const disclosed = known.map(each => joinDisclosure(each, keyshares))
  const committed = commitmentsToVerify(input, commitments, keyshares)
  const hasUncheckedParts = disclosures.some(each => each.hasUncheckedParts)
  if (committed === null || hasUncheckedParts || hasSingletonTwice(known)) return NOTHING_TO_ISSUE
  const list: ProofList = {
    disclosures: proofsToVerify(disclosed, schemes),
    commitments: committed,
    context: CONTEXT,
    nonce,
    isSignature: false,
  }
  if (!(await verify(list))) return NOTHING_TO_ISSUE
  const judgement = judgeDisclosed(request, {
    known: disclosed,
    indices: message.indices,
    nonRevocation,
    longValues,
    atSec: nowSec,
  })
  const U = committed.map(({ proof }) => proof.U)
  const { n2, keys } = message
  return {
    judgement,
    commitments: judgement.proofStatus === 'VALID' ? { n2, U, ...(keys.length > 0 && { keys }) } : null,
  }
}

type Disclosure = Extract<ReadProof, { kind: 'disclosure' }>

/** The last proofs belong to the credentials that will be issued. The proofs before them are disclosures. */
function split(
  proofs: readonly ReadProof[],
  credentialCount: number,
): { readonly disclosures: readonly Disclosure[]; readonly commitments: readonly ReadProof[] } {
  const count = proofs.length - credentialCount
  if (count < 0)
    throw new MalformedInputError(
      `Received insufficient proofs: expected at least ${credentialCount}, got ${proofs.length}`,
    )
  const disclosures = proofs.slice(0, count).filter(proof => proof.kind === 'disclosure')
  if (disclosures.length < count)
    throw new MalformedInputError(
      `Cannot extract public key, not a disclosure proof: expected ${count} of them before the commitments, got ${disclosures.length}`,
    )
  return { disclosures, commitments: proofs.slice(count) }
}

type Keyshares = ReadonlyMap<SchemeId, KeyshareProof>

/** Reads one JWT for each scheme that has a keyshare server and occurs in this message. JWTs of other schemes are ignored (spec/decisions#d13). */
async function readKeyshares(
  { request, message, nowSec, schemes, keyshareV1: rule }: CommitmentsToCheck,
  known: readonly KnownProof[],
  note: NoteFirstVersion,
): Promise<Keyshares> {
  const types: CredentialTypeId[] = [
    ...known.map(({ type }) => type.id),
    ...request.credentials.map(({ credential }) => credential),
  ]
  const keyshares = new Map<SchemeId, KeyshareProof>()
  for (const id of new Set(types.map(schemeOf))) {
    const scheme = schemes.scheme(id)
    if (scheme === undefined || scheme.keyshareServer === '') continue
    const jwt = message.proofPJwts.get(id) ?? message.proofPJwt
    const proof = await readKeyshareJwt(jwt, scheme, nowSec)
    const issuers = new Set(types.filter(type => schemeOf(type) === id).map(issuerOf))
    requireVersion(proof, { scheme: id, issuers, rule }, note)
    keyshares.set(id, proof)
  }
  return keyshares
}

function joinDisclosure(known: KnownProof, keyshares: Keyshares): KnownProof {
  const keyshare = keyshares.get(schemeOf(known.type.id))
  return keyshare === undefined ? known : { ...known, proof: mergeIntoDisclosure(known.proof, keyshare) }
}

/** Pairs each commitment with the key and the random blind attributes of the credential that will be issued. A commitment to another credential then
 *  fails verification.
 *  @returns null if a proof is not a commitment */
function commitmentsToVerify(
  { request, schemes }: CommitmentsToCheck,
  proofs: readonly ReadProof[],
  keyshares: Keyshares,
): CommitmentToVerify[] | null {
  const commitments = proofs.flatMap((each, i): CommitmentToVerify[] => {
    const credential = request.credentials[i]
    if (each.kind !== 'commitment' || credential === undefined) return []
    const { type, key } = issuedType(credential, schemes)
    const scheme = schemeOf(type.id)
    const keyshare = keyshares.get(scheme)
    const proof = keyshare === undefined ? each.proof : mergeIntoCommitment(each.proof, keyshare, key.n)
    return [{ proof, key, group: schemes.groupOf(scheme), randomBlind: randomBlindIndices(type) }]
  })
  return commitments.length === proofs.length ? commitments : null
}
