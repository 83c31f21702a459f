/** A credential that can be revoked, its witness and its proofs, for the tests of this folder. @module */
import { randomBytes } from 'node:crypto'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import type { OwnedCredential } from '../../crypto/disclosure.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import { firstUpdate } from '../../crypto/revocation/authority.ts'
import { issueWitness, type Witness } from '../../crypto/revocation/witness.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { CHALLENGE, createProofs, openssl, SECRET_KEY } from './proofs.ts'
import { keyOf } from './vectors.ts'

export type Revocable = { readonly credential: OwnedCredential; readonly witness: Witness }

/** The base index of the revocation attribute; the others: metadata 1, a text 2, an empty text 4. */
export const REVOCATION_INDEX = 3
export const EMPTY_INDEX = 4

/** The values beside the revocation attribute, from its number e. */
export type OthersOf = (e: bigint) => readonly [text: bigint, empty: bigint]

/** Issues a credential under the key, with its own accumulator.
 *  @param others by default a text and an empty text */
export function issueRevocable(id: string, others: OthersOf = () => [2n ** 90n + 1n, 1n]): Revocable {
  const { publicKey: key, privateKey } = keyOf(id)
  const { signed } = firstUpdate({ key, privateKey, nowSec: 1_800_000_000 }, randomBytes)
  const witness = issueWitness(openssl, { key, privateKey, signed }, randomBytes)
  const [text, empty] = others(witness.e)
  const attributes = [2n ** 185n + 3n, text, witness.e, empty]
  const input = { key, privateKey, secretKey: SECRET_KEY, attributes }
  return { credential: { key, attributes, signature: signAttributes(openssl, input, randomBytes) }, witness }
}

/** Discloses the metadata and the text, and proves non-revocation, in answer to CHALLENGE. */
export function proveNotRevoked(
  { credential, witness }: Revocable,
  {
    arithmetic = openssl,
    disclosed = [2],
    index = REVOCATION_INDEX,
  }: { readonly arithmetic?: Arithmetic; readonly disclosed?: number[]; readonly index?: number } = {},
): ProofList {
  const { key, attributes } = credential
  const facts = { key, group: '.', attributeCount: attributes.length - 1, revocationIndex: REVOCATION_INDEX }
  const made = createProofs([{ credential, disclosed, nonRevocation: { witness, index } }], { arithmetic })
  return { ...CHALLENGE, disclosures: made.map(proof => ({ proof, ...facts })), commitments: [] }
}
