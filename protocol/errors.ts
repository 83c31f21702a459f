/** The remote errors (spec/interface#7): one table of type, HTTP status and description. Statuses of errors are defined only here. A message says expected and got, and
 *  never contains a token, PIN, attribute value or proof. @module */

type ErrorFacts = { readonly type: string; readonly status: number; readonly description: string }

export class RemoteError extends Error {
  /** `error` on the wire */
  readonly type: string
  /** HTTP status */
  readonly status: number
  /** English, fixed per type */
  readonly description: string
  /** the exact cause, if the description of the type says something else */
  readonly exactDescription: string | null = null
  /** @param message optional extra information, `message` on the wire; empty: left out */
  constructor(facts: ErrorFacts, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.type = facts.type
    this.status = facts.status
    this.description = facts.description
  }
}

/** The type is explicit. The inferred type would include the static members of Node's `Error`, and callers may lack Node's types. */
type RemoteErrorClass = new (message?: string, options?: ErrorOptions) => RemoteError

function remoteError(type: string, status: number, description: string): RemoteErrorClass {
  return class extends RemoteError {
    constructor(message = '', options?: ErrorOptions) {
      super({ type, status, description }, message, options)
    }
  }
}

export class InvalidRequestError extends remoteError('INVALID_REQUEST', 400, 'Invalid HTTP request') {}
/** A body over the limit, where the specification requires no other status. */
export class BodyTooLargeError extends remoteError('INVALID_REQUEST', 413, 'Request body too large') {}
/** A content type or encoding that the endpoint does not read, where the specification requires no other status. */
export class UnsupportedMediaError extends remoteError('INVALID_REQUEST', 415, 'Unsupported media type') {}
/** The request headers are over the limit. */
export class HeadersTooLargeError extends remoteError('INVALID_REQUEST', 431, 'Request headers too large') {}
/** Route not found. */
export class NotFoundError extends remoteError('INVALID_REQUEST', 404, 'Not found') {}
/** A known path with a wrong method. */
export class MethodNotAllowedError extends remoteError('INVALID_REQUEST', 405, 'Method not allowed') {
  /** methods for the header `Allow` */
  readonly allowed: readonly string[]
  constructor(allowed: readonly string[]) {
    super(`method: expected ${allowed.join(', ')}, got another`)
    this.allowed = allowed
  }
}
/** A requestor that is unknown or lacks a permission, or a host mismatch. */
export class UnauthorizedError extends remoteError(
  'UNAUTHORIZED',
  403,
  'You are not authorized to issue or verify this attribute',
) {}
/** Existing servers give these errors the description of the missing permission above. Only profile `irma` does the same (`errorDescriptions`). */
export class UnknownRequestorTokenError extends UnauthorizedError {
  override readonly exactDescription = 'The requestor token is unknown'
}
export class SignedRequestTooOldError extends UnauthorizedError {
  override readonly exactDescription = 'The signed request is too old'
}
export class WrongHostError extends UnauthorizedError {
  override readonly exactDescription = 'The host is not that of the session, or not allowed'
}
/** Wrong frontend authorization, or wrong or missing authorization of the app. */
export class SessionUnauthorizedError extends remoteError(
  'UNAUTHORIZED',
  403,
  'You are not authorized to access the session',
) {}
export class UnexpectedRequestError extends remoteError(
  'UNEXPECTED_REQUEST',
  403,
  'Unexpected request in this state',
) {}
/** A user that the keyshare server does not know, or whose account is disabled. */
export class UserNotRegisteredError extends remoteError(
  'USER_NOT_REGISTERED',
  403,
  'User is not yet fully registered',
) {}
/** A login without a challenge, or with a used one. */
export class MissingChallengeError extends remoteError(
  'MISSING_CHALLENGE',
  409,
  'Keyshare pin response was requested without corresponding challenge',
) {}
/** A response without a commitment, or with a used one. */
export class MissingCommitmentError extends remoteError(
  'MISSING_COMMITMENT',
  409,
  'Keyshare response was requested without corresponding commitment',
) {}
/** A mailed link that is unknown, used or too old. */
export class InvalidTokenError extends remoteError(
  'INVALID_TOKEN',
  403,
  'Provided token is unknown or invalid',
) {}
/** A form that a page of another site sent. */
export class ForeignFormError extends remoteError('UNAUTHORIZED', 403, 'The form is from another site') {}
/** Too many mails to one address, or too many calls of one caller. */
export class TooManyRequestsError extends remoteError('TOO_MANY_REQUESTS', 429, 'Too many requests') {
  /** for the header `Retry-After`; null: unknown */
  readonly waitMs: number | null
  constructor(message = '', waitMs: number | null = null) {
    super(message)
    this.waitMs = waitMs
  }
}
export class SessionUnknownError extends remoteError('SESSION_UNKNOWN', 400, 'Unknown or expired session') {}
export class MalformedInputError extends remoteError('MALFORMED_INPUT', 400, 'Input could not be parsed') {}
export class ProtocolVersionError extends remoteError(
  'PROTOCOL_VERSION',
  400,
  'Protocol version negotiation failed',
) {}
export class UnknownPublicKeyError extends remoteError(
  'UNKNOWN_PUBLIC_KEY',
  403,
  'Attributes were not valid against a known public key',
) {}
/** Issuance: the keyshare server's part is missing or invalid. */
export class KeyshareProofMissingError extends remoteError(
  'KEYSHARE_PROOF_MISSING',
  403,
  'ProofP object from a keyshare server missing',
) {}
/** Issuance with invalid proofs: its answer cannot contain a proof status (spec/decisions#d23). */
export class InvalidProofsError extends remoteError(
  'INVALID_PROOFS',
  400,
  'Invalid secret key commitments and/or disclosure proofs',
) {}
/** Issuance with expired attributes: its answer cannot contain a proof status (spec/decisions#d23). */
export class AttributesExpiredError extends remoteError(
  'ATTRIBUTES_EXPIRED',
  400,
  'Disclosed attributes were expired',
) {}
export class IssuanceFailedError extends remoteError(
  'ISSUANCE_FAILED',
  500,
  'Failed to create credential(s)',
) {}
/** The next session of a chain could not be started. */
export class NextSessionError extends remoteError('NEXT_SESSION', 500, 'Error starting next session') {}
/** The data for revocation is missing, or this server cannot do the operation. */
export class RevocationError extends remoteError('REVOCATION', 500, 'Revocation error') {}
/** No unrevoked credential was issued under that key. */
export class UnknownRevocationKeyError extends remoteError(
  'UNKNOWN_REVOCATION_KEY',
  404,
  'No issuance records correspond to the given revocationKey',
) {}
/** Verification of a proof threw an error, or a result could not be signed. */
export class ExceptionError extends remoteError('EXCEPTION', 500, 'Encountered unexpected problem') {}
export class UnsupportedError extends remoteError('UNSUPPORTED', 501, 'Unsupported by this server') {}
export class InternalError extends remoteError('INTERNAL_ERROR', 500, 'Internal server error') {}
/** The answer is not available in time, or this server is stopping. The response has `Retry-After`. */
export class UnavailableError extends remoteError('INTERNAL_ERROR', 503, 'Internal server error') {}
/** A limit is reached: 503 with `Retry-After`. Nothing was changed. */
export class OverloadedError extends UnavailableError {
  override readonly type: string = 'OVERLOADED'
  override readonly description: string = 'This server has too much to do at the moment'
}
/** No more event streams are accepted, for this session or in total. */
export class TooManyStreamsError extends OverloadedError {
  override readonly type = 'TOO_MANY_STREAMS'
  override readonly description = 'Too many open event streams'
}
/** This node already holds too many bytes of other bodies. The body was not read. */
export class NoRoomForBodyError extends OverloadedError {}

/** The same error without description and message, as existing software sends it. */
export function bare({ type, status }: RemoteError): RemoteError {
  return new RemoteError({ type, status, description: '' }, '')
}

/** The body of every error response (spec/interface#2.11, #7). Members are in the order of the wire. */
export type RemoteErrorObject = {
  readonly status: number
  readonly error: string
  readonly description?: string
  readonly message?: string
  readonly stacktrace?: string
}

/** @param verbose adds the stack trace; only for servers with that option
 *  @param descriptions `by-type`: the texts of existing servers */
export function remoteErrorObject(
  error: RemoteError,
  verbose = false,
  descriptions: 'exact' | 'by-type' = 'by-type',
): RemoteErrorObject {
  const exact = descriptions === 'exact' ? error.exactDescription : null
  const description = exact ?? error.description
  return {
    status: error.status,
    error: error.type,
    ...(description && { description }),
    ...(error.message && { message: error.message }),
    ...(verbose && error.stack && { stacktrace: error.stack }),
  }
}
