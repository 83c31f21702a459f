/** Types of `crypto/` that the checks need before that folder has them. @module */
import type { ProofToVerify } from '../crypto/disclosure.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../crypto/public-key.ts'
import type { CommitmentProof } from '../protocol/proofs-json.ts'

export type CommitmentToVerify = {
  readonly proof: CommitmentProof
  readonly key: IssuerPublicKey
  readonly group: string
  readonly randomBlind: readonly number[]
}
export type ProofList = {
  readonly disclosures: readonly ProofToVerify[]
  readonly commitments: readonly CommitmentToVerify[]
  readonly context: bigint
  readonly nonce: bigint
  readonly isSignature: boolean
}
export type CredentialToSign = {
  readonly key: IssuerPublicKey
  readonly privateKey: IssuerPrivateKey
  readonly U: bigint
  readonly attributes: readonly bigint[]
  readonly context: bigint
  readonly n2: bigint
}
export type KeyshareProof = { readonly P: bigint | null; readonly c: bigint; readonly sResponse: bigint }
