/** The error for invalid revocation data (spec/cryptography#14). @module */

/** The message says expected and got. */
export class RevocationDataError extends Error {
  override readonly name = 'RevocationDataError'
  /** readable, but not signed by the issuer */
  readonly isBadSignature: boolean

  constructor(message: string, options?: ErrorOptions & { readonly isBadSignature?: boolean }) {
    super(message, options)
    this.isBadSignature = options?.isBadSignature ?? false
  }
}
