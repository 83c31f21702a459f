/** Types of `crypto/` that the checks need before that folder has them. @module */
import type { IssuerPrivateKey, IssuerPublicKey } from '../crypto/public-key.ts'

export type CredentialToSign = {
  readonly key: IssuerPublicKey
  readonly privateKey: IssuerPrivateKey
  readonly U: bigint
  readonly attributes: readonly bigint[]
  readonly context: bigint
  readonly n2: bigint
}
export type KeyshareProof = { readonly P: bigint | null; readonly c: bigint; readonly sResponse: bigint }
