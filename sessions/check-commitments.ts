/** The judgement of an issuance commitment message (`spec/cryptography.md` 9.2, `spec/session-server.md` 9.6), in its order: kinds and number of the
 *  proofs, the keyshare servers' parts that are joined to them, then all together. Nothing is signed here. Pure but for `verify`, which is
 *  given. @module */
import type { CommitmentToVerify } from '../crypto/commitment.ts'
import { type KeyshareProof, mergeIntoCommitment, mergeIntoDisclosure } from '../crypto/keyshare/merge.ts'
import type { ProofList } from '../crypto/proof-list.ts'
import type { CommitmentMessage } from '../protocol/commitment-message.ts'
import { AttributesExpired, InvalidProofs, MalformedInput } from '../protocol/errors.ts'
import { type CredentialTypeId, type SchemeId, schemeOf } from '../protocol/ids.ts'
import type { ReadProof } from '../protocol/proofs-json.ts'
import type { CredentialRequest } from '../protocol/request-members.ts'
import type { Schemes } from '../schemes/types.ts'
import { type Asked, CONTEXT, INVALID, judgeDisclosed } from './check-disclosure.ts'
import type { Checked, CheckServices } from './checked.ts'
import type { KnownProof } from './disclosed.ts'
import { issuedType, randomBlindIndices } from './issue-credentials.ts'
import { readKeyshareJwt } from './keyshare-jwt.ts'
import { hasSingletonTwice, knownProofs, proofsToVerify } from './known-proofs.ts'
import type { NonRevocationFacts } from './non-revocation.ts'

export type CommitmentsToCheck = {
  readonly request: Asked & { readonly credentials: readonly CredentialRequest[] }
  readonly message: CommitmentMessage
  readonly nonce: bigint
  readonly nowSec: number
  readonly schemes: Schemes
  readonly nonRevocation: NonRevocationFacts
  /** false: the answer has no place for a proof status, so that one that is not `VALID` is an error (D23) */
  readonly hasProofStatus: boolean
}

const NOTHING_TO_ISSUE: Checked = { judgement: INVALID, commitments: null }

/** @throws {MalformedInput} for too few proofs, a commitment where a disclosure belongs, or a disclosure under an unknown key
 *  @throws {KeyshareProofMissing} for a keyshare server's part that is missing or not its own
 *  @throws {InvalidProofs} {AttributesExpired} where the answer has no place for a proof status
 *  @throws {ExceptionError} for an index far beyond the proofs
 *  @throws {IssuanceFailed} for a credential type or key that the schemes have no more
 *  @throws whatever `verify` throws */
export async function checkCommitments(
  input: CommitmentsToCheck,
  verify: CheckServices['verify'],
): Promise<Checked> {
  const checked = await judgeCommitments(input, verify)
  const { proofStatus } = checked.judgement
  if (input.hasProofStatus || proofStatus === 'VALID') return checked
  throw proofStatus === 'EXPIRED' ? new AttributesExpired() : new InvalidProofs()
}

async function judgeCommitments(
  input: CommitmentsToCheck,
  verify: CheckServices['verify'],
): Promise<Checked> {
  const { request, message, nonce, nowSec, schemes, nonRevocation } = input
  const { disclosures, commitments } = split(message.proofs, request.credentials.length)
  const known = knownProofs(
    disclosures.map(({ proof }) => proof),
    schemes,
    MalformedInput,
  )
  if (known === null) return NOTHING_TO_ISSUE
  const keyshares = await readKeyshares(input, known)
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
    atSec: nowSec,
  })
  const U = committed.map(({ proof }) => proof.U)
  return { judgement, commitments: judgement.proofStatus === 'VALID' ? { n2: message.n2, U } : null }
}

type Disclosure = Extract<ReadProof, { kind: 'disclosure' }>

/** The last proofs are about the credentials to be issued, those before them about what is disclosed first. */
function split(
  proofs: readonly ReadProof[],
  credentialCount: number,
): { readonly disclosures: readonly Disclosure[]; readonly commitments: readonly ReadProof[] } {
  const count = proofs.length - credentialCount
  if (count < 0)
    throw new MalformedInput(
      `Received insufficient proofs: expected at least ${credentialCount}, got ${proofs.length}`,
    )
  const disclosures = proofs.slice(0, count).filter(proof => proof.kind === 'disclosure')
  if (disclosures.length < count)
    throw new MalformedInput(
      `Cannot extract public key, not a disclosure proof: expected ${count} of them before the commitments, got ${disclosures.length}`,
    )
  return { disclosures, commitments: proofs.slice(count) }
}

type Keyshares = ReadonlyMap<SchemeId, KeyshareProof>

/** One JWT for each scheme with a keyshare server that has a proof here; JWTs of other schemes are ignored (D13). */
async function readKeyshares(
  { request, message, nowSec, schemes }: CommitmentsToCheck,
  known: readonly KnownProof[],
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
    keyshares.set(id, await readKeyshareJwt(jwt, scheme, nowSec))
  }
  return keyshares
}

function joinDisclosure(known: KnownProof, keyshares: Keyshares): KnownProof {
  const keyshare = keyshares.get(schemeOf(known.type.id))
  return keyshare === undefined ? known : { ...known, proof: mergeIntoDisclosure(known.proof, keyshare) }
}

/** Each under the key, and with the random blind attributes, of what is to be issued: a commitment that fits anything else is not verified.
 *  @returns null if a proof is no commitment */
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
