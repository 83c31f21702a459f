/** Disclosure proofs, ProofD of the cryptography note (sections 7.2 to 7.4 and 16). @module */
import type { IssuerPublicKey } from './public-key.ts'
import type { ClSignature } from './signature.ts'

/** One proof as it came in. Maps go from base index to integer: responses of hidden attributes, values of disclosed ones. */
export type DisclosureProof = {
  readonly c: bigint
  readonly A: bigint
  readonly eResponse: bigint
  readonly vResponse: bigint
  readonly aResponses: ReadonlyMap<number, bigint>
  readonly aDisclosed: ReadonlyMap<number, bigint>
}

export type ProofToVerify = {
  readonly proof: DisclosureProof
  /** the key that the proof's metadata names */
  readonly key: IssuerPublicKey
  /** proofs of one group must know the same secret key: "." or the identifier of a scheme with a keyshare server */
  readonly group: string
  /** number of attributes of the credential type, metadata and secret key not counted */
  readonly attributeCount: number
}

/** What a wallet knows of one credential. */
export type OwnedCredential = {
  readonly signature: ClSignature
  /** from base index 1 on: metadata first */
  readonly attributes: readonly bigint[]
  readonly key: IssuerPublicKey
}
