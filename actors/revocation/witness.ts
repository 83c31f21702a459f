/** A witness for a credential that is about to be signed, and the record of it (`spec/cryptography.md` 14.3): the same for an authority and for an
 *  issuer that has one. @module */
import type { IssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { IssuanceFailed } from '../../protocol/errors.ts'
import { type ProofPool, SigningRefused } from '../workers/proof-pool.ts'
import type { KnownAccumulators } from './known.ts'
import type { CredentialToIssue } from './revocation.ts'

const NS_PER_SEC = 1_000_000_000n

export type Issued = { readonly witness: Witness; readonly record: IssuanceRecord }

/** @throws {IssuanceFailed} */
export async function newWitness(
  credential: CredentialToIssue,
  known: KnownAccumulators,
  pool: Pick<ProofPool, 'issueWitness'>,
): Promise<Issued> {
  const { type, keyCounter } = credential
  const keys = known.keysOf(keyCounter)
  const row = await known.load(keyCounter)
  if (keys === null || row === null)
    throw new IssuanceFailed(
      `revocation of ${type}: expected ${keys ? 'an accumulator' : 'keys that support it'} with counter ${keyCounter}, got none`,
    )
  const witness = await pool.issueWitness({ ...keys, signed: row.signed }).catch(refused)
  return { witness, record: recordOf(credential, witness.e) }
}

/** What cannot be made cancels; a thread that died says nothing about it, and passes. */
function refused(cause: unknown): never {
  if (cause instanceof SigningRefused) throw new IssuanceFailed(cause.message, { cause })
  throw cause
}

function recordOf(credential: CredentialToIssue, e: bigint): IssuanceRecord {
  const { type, keyCounter, revocationKey, issuedAtSec, validUntilSec } = credential
  return {
    revocationKey,
    credentialType: type,
    issuedAtNs: BigInt(issuedAtSec) * NS_PER_SEC,
    keyCounter,
    e,
    validUntilNs: BigInt(validUntilSec) * NS_PER_SEC,
    revokedAtNs: 0n,
  }
}
