/** The answers of 500 and more that a call may get, each with its reason. The fuzzer reports every other one, and each failure that the server logs as an error of its own. @module */

export type Allowed = {
  /** names of operations in the description of the endpoints; a number at their end is left out */
  readonly operations: RegExp
  readonly status: number
  readonly error: string
  readonly reason: string
}

export const ALLOWED_5XX: readonly Allowed[] = [
  {
    operations: /^(?:publicParts|hashedCommitments|responseToInput|linkableResponse)$/,
    status: 500,
    error: 'INTERNAL_ERROR',
    reason: 'existing servers answer this to an unknown key, or to another input than the app committed to',
  },
  {
    operations: /^registerKey$/,
    status: 500,
    error: 'INTERNAL_ERROR',
    reason: 'existing servers answer this to a second device key',
  },
  {
    operations: /^(?:startSession|startStaticSession)$/,
    status: 503,
    error: 'OVERLOADED',
    reason: 'callbacks wait for a requestor that does not answer, up to max_owed_callbacks',
  },
  {
    operations: /(?:Events|events|frontendEvents)/,
    status: 503,
    error: 'TOO_MANY_STREAMS',
    reason: 'the streams of a session are bounded, and the server may notice later that a client has left',
  },
  {
    operations: /^submit(?:Proofs|Commitments)$/,
    status: 500,
    error: 'EXCEPTION',
    reason: 'existing servers answer this to an index beyond the proofs, or to a commitment among the proofs',
  },
  {
    operations: /^submit(?:Proofs|Commitments)$/,
    status: 500,
    error: 'NEXT_SESSION',
    reason: 'the address in nextSession.url gives no answer',
  },
  {
    operations:
      /^(?:startSession|submitCommitments|revoke|updates|updateOfKey|updateEvents|revocationEvents|issuanceRecord)$/,
    status: 500,
    error: 'REVOCATION',
    reason: 'this server is not the authority of the type',
  },
  {
    operations: /^issuanceRecord$/,
    status: 501,
    error: 'UNSUPPORTED',
    reason: 'a server accepts no records of other issuers',
  },
]

/** @param error null: an answer to HEAD, which has no body that says it */
export function isAllowed(operation: string, status: number, error: string | null): boolean {
  return ALLOWED_5XX.some(
    each => each.operations.test(operation) && each.status === status && (error ?? each.error) === each.error,
  )
}
