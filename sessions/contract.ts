/** Types of `crypto/` and `protocol/` that the checks need before those folders have them. @module */
import type { DisclosureProof, ProofToVerify } from '../crypto/disclosure.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../crypto/public-key.ts'
import type { DisclosureMessage } from '../protocol/disclosure-message.ts'

export type CommitmentProof = {
  readonly U: bigint
  readonly c: bigint
  readonly vPrimeResponse: bigint
  readonly sResponse: bigint
  readonly mUserResponses: ReadonlyMap<number, bigint>
}
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
export type Timestamp = {
  readonly timeSec: number
  readonly serverUrl: string
  readonly alg: string
  readonly signature: Uint8Array
  readonly publicKey: Uint8Array
  readonly hashing: { readonly hash: string; readonly prefix: Uint8Array } | null
}
type Indices = DisclosureMessage['indices']
export type ReadProof =
  | { readonly kind: 'disclosure'; readonly proof: DisclosureProof; readonly hasUncheckedParts: boolean }
  | { readonly kind: 'commitment'; readonly proof: CommitmentProof }
export type SignedMessage = {
  readonly version: 1 | 2
  readonly proofs: readonly DisclosureProof[]
  readonly hasUncheckedParts: boolean
  readonly indices: Indices
  readonly nonce: bigint
  readonly context: bigint
  readonly message: string
  readonly timestamp: Timestamp | null
}
export type CommitmentMessage = {
  readonly n2: bigint
  readonly proofs: readonly ReadProof[]
  readonly indices: Indices
  readonly proofPJwts: ReadonlyMap<string, string>
  readonly proofPJwt: string | null
}
