/** A witness for a credential that is about to be signed, and its record (spec/cryptography#14.3): the same for an authority and for an issuer that
 *  follows one. @module */
import type { IssuerPrivateKey } from '../../crypto/public-key.ts'
import type { IssuanceRecord } from '../../crypto/revocation/issuance-record.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { IssuanceFailedError } from '../../protocol/errors.ts'
import type { ProofPool } from '../workers/proof-pool.ts'
import { refusedAs } from '../workers/refusal.ts'
import type { KnownAccumulators } from './known.ts'
import type { CredentialToIssue } from './revocation.ts'

const NS_PER_SEC = 1_000_000_000n

export type IssuedWitness = {
  readonly witness: Witness
  readonly record: IssuanceRecord
  /** the key that made the witness and signs the record; secret */
  readonly privateKey: IssuerPrivateKey
}

/** @throws {IssuanceFailedError} */
export async function newWitness(
  credential: CredentialToIssue,
  known: KnownAccumulators,
  pool: Pick<ProofPool, 'issueWitness'>,
  signal?: AbortSignal,
): Promise<IssuedWitness> {
  const { type, keyCounter } = credential
  const keys = known.keysOf(keyCounter)
  const row = await known.load(keyCounter)
  if (keys === null || row === null)
    throw new IssuanceFailedError(
      `revocation of ${type}: expected ${keys ? 'an accumulator' : 'keys that support it'} with counter ${keyCounter}, got none`,
    )
  const witness = await pool
    .issueWitness({ ...keys, signed: row.signed }, signal)
    .catch(refusedAs(IssuanceFailedError))
  return { witness, record: recordOf(credential, witness.e), privateKey: keys.privateKey }
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
