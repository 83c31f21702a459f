/** Positions of the attributes of a credential type among the bases of a key (spec/cryptography#2.1, #14). @module */
import { BASES_BEFORE_ATTRIBUTES } from '../crypto/disclosure.ts'
import type { CredentialType } from './types.ts'

/** Base index of the revocation attribute; null: the type has none. A proof of non-revocation is about this attribute only (MUST 3). */
export function revocationIndexOf({ attributes }: CredentialType): number | null {
  const position = attributes.findIndex(({ isRevocation }) => isRevocation)
  return position < 0 ? null : position + BASES_BEFORE_ATTRIBUTES
}
