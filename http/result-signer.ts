/** The key that signs results (spec/interface#5.2), for the endpoints that need one. @module */
import { UnsupportedError } from '../protocol/errors.ts'
import type { ResultSigner } from '../sessions/result-jwt.ts'

/** @throws {UnsupportedError} */
export function signerOf({ resultSigner }: { readonly resultSigner: ResultSigner | null }): ResultSigner {
  if (resultSigner === null) throw new UnsupportedError('expected a JWT private key, got none')
  return resultSigner
}
