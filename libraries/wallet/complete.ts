/** Converts an issuer's answer to credentials (spec/cryptography#6.2, #6.3, #9.5, #14.3). It verifies each credential against its offer, with metadata computed here. If
 *  one check fails, no credential of the answer is kept. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bitLength } from '../../crypto/bytes.ts'
import type { CommitmentSecrets } from '../../crypto/commitment.ts'
import { completeSignature, verifyCorrectness } from '../../crypto/issuance.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import type { CreatedProofs, KeyshareParts } from '../../crypto/proof-list.ts'
import { systemParameters } from '../../crypto/public-key.ts'
import { isWitnessRight, type Witness } from '../../crypto/revocation/witness.ts'
import { verifySignature } from '../../crypto/signature.ts'
import type { IssuedCredential } from '../../protocol/server-session-response.ts'
import { SessionError } from './failure.ts'
import type { Offer } from './offers.ts'
import type { StoredCredential } from './stored.ts'

const WEEK_SEC = 604_800
/** The metadata contains the week of issue, and the clocks of both sides may differ. Tried in this order: the wallet's week, the one before, the one after. */
const WEEKS = [0, -1, 1]
const FIRST_ATTRIBUTE = 2

/** A newly issued credential, not stored yet. */
type NewCredential = Omit<StoredCredential, 'id'>

export type Issuance = {
  /** the wallet's secret key, or its half if a keyshare server has the other half; secret */
  readonly secretKey: bigint
  readonly context: bigint
  readonly n2: bigint
  readonly nowSec: number
}

/** All credentials of one session, in the order of their offers.
 *  @param answered.commitments the commitments for the offers; their `secrets` are secret
 *  @throws {SessionError} `wrong-credential`, if one is wrong */
export function completeCredentials(
  arithmetic: Arithmetic,
  answered: {
    readonly offers: readonly Offer[]
    readonly commitments: CreatedProofs['commitments']
    readonly issued: readonly IssuedCredential[]
    /** the parts of keyshare servers, by offer */
    readonly parts: KeyshareParts['commitments']
  },
  issuance: Issuance,
): NewCredential[] {
  const { offers, commitments, issued, parts } = answered
  return offers.map((offer, i) => {
    const [commitment, answer, part] = [commitments[i], issued[i], parts[i]]
    if (!commitment || !answer) throw wrong(`expected ${offers.length}, got ${issued.length}`)
    return completeCredential(arithmetic, offer, answer, commitment.secrets, { ...issuance, P: part?.P })
  })
}

function completeCredential(
  arithmetic: Arithmetic,
  offer: Offer,
  { issued, shares, witness }: IssuedCredential,
  secrets: CommitmentSecrets,
  { secretKey, context, n2, nowSec, P }: Issuance & { readonly P: bigint | undefined },
): NewCredential {
  const { key, type } = offer
  if (!verifyCorrectness(arithmetic, { key, ...issued, context, n2 }))
    throw wrong(`expected a valid proof that ${type.id} was signed with the key of its issuer, got another`)
  const signature = completeSignature(issued.signature, secrets)
  const revocation = revocationOf(arithmetic, offer, witness)
  const values = valuesOf(offer, witness, secrets.shares, shares)
  for (const weeks of WEEKS) {
    const metadata = metadataOf(offer, nowSec + weeks * WEEK_SEC)
    if (metadata === null) continue
    const attributes = [metadata, ...values]
    if (verifySignature(arithmetic, key, signature, [secretKey, ...attributes], P))
      return { attributes, signature, ...(revocation && { revocation }) }
  }
  throw wrong(
    `expected a signature on the offered attributes of ${type.id}, dated this week or one week before or after, got another`,
  )
}

function wrong(message: string): SessionError {
  return new SessionError('wrong-credential', `issued credential: ${message}`)
}

/** Checks the witness of an issued credential. That its e equals the revocation attribute is checked with the signature.
 *  @returns undefined for a credential that cannot be revoked */
function revocationOf(
  arithmetic: Arithmetic,
  { type, key, revocationIndex }: Offer,
  witness: Witness | null,
): NewCredential['revocation'] {
  if ((revocationIndex === null) !== (witness === null))
    throw wrong(`expected ${revocationIndex === null ? 'no witness' : 'a witness'} with ${type.id}`)
  if (witness === null) return undefined
  if (!isWitnessRight(arithmetic, witness, key))
    throw wrong(`the witness of ${type.id} is not one for an accumulator of its issuer`)
  return { witness, isRevoked: false }
}

/** The attribute values. Random blind values are the sum of both shares (spec/cryptography#13); the revocation attribute is the witness's e (spec/cryptography#14.3). */
function valuesOf(
  { type, key, values, randomBlind, revocationIndex }: Offer,
  witness: Witness | null,
  own: ReadonlyMap<number, bigint>,
  theirs: ReadonlyMap<number, bigint>,
): bigint[] {
  const { Lm } = systemParameters(key.n)
  const isRight = theirs.size === randomBlind.length && randomBlind.every(index => theirs.has(index))
  if (!isRight) throw wrong(`expected the issuer's shares of the random blind attributes of ${type.id}`)
  return values.map((value, i) => {
    if (value !== null) return value
    const index = i + FIRST_ATTRIBUTE
    if (index === revocationIndex) return witness?.e ?? 0n
    const share = theirs.get(index) ?? 0n
    if (bitLength(share) > Lm - 1) throw wrong(`expected shares of at most ${Lm - 1} bits in ${type.id}`)
    return (own.get(index) ?? 0n) + share
  })
}

/** @returns null if the credential would expire before that week */
function metadataOf({ type, key, validityAtSec }: Offer, issuedAtSec: number): bigint | null {
  if (validityAtSec < issuedAtSec - (issuedAtSec % WEEK_SEC)) return null
  return encodeMetadata({
    issuedAtSec,
    expiresAtSec: validityAtSec,
    keyCounter: key.counter,
    credentialType: type.id,
  })
}
