/** The remote errors (spec 7): one table of type, HTTP status and description; nobody else names a status of an error.
 *  A message says expected and got, and never holds a token, PIN, attribute value or proof. @module */

type ErrorFacts = { readonly type: string; readonly status: number; readonly description: string }

export class RemoteError extends Error {
  /** `error` on the wire */
  readonly type: string
  /** HTTP status */
  readonly status: number
  /** English, fixed per type */
  readonly description: string
  /** where the description of the type says something else than what is wrong */
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

/** The type is written out: what the compiler finds by itself has the static members of Node's `Error`, which other programs may know no types of. */
type RemoteErrorClass = new (message?: string, options?: ErrorOptions) => RemoteError

function remoteError(type: string, status: number, description: string): RemoteErrorClass {
  return class extends RemoteError {
    constructor(message = '', options?: ErrorOptions) {
      super({ type, status, description }, message, options)
    }
  }
}

export class InvalidRequest extends remoteError('INVALID_REQUEST', 400, 'Invalid HTTP request') {}
/** a body over the limit, where the specification names no other status */
export class BodyTooLarge extends remoteError('INVALID_REQUEST', 413, 'Request body too large') {}
/** a content type or an encoding that the endpoint does not read, where the specification names no other status */
export class UnsupportedMedia extends remoteError('INVALID_REQUEST', 415, 'Unsupported media type') {}
/** a head over the limit */
export class HeadersTooLarge extends remoteError('INVALID_REQUEST', 431, 'Request headers too large') {}
/** route not found */
export class NotFound extends remoteError('INVALID_REQUEST', 404, 'Not found') {}
/** wrong method of a known path */
export class MethodNotAllowed extends remoteError('INVALID_REQUEST', 405, 'Method not allowed') {
  /** what the header `Allow` says */
  readonly allowed: readonly string[]
  constructor(allowed: readonly string[]) {
    super(`method: expected ${allowed.join(', ')}, got another`)
    this.allowed = allowed
  }
}
/** a requestor that is unknown or lacks a permission, or a host mismatch */
export class Unauthorized extends remoteError(
  'UNAUTHORIZED',
  403,
  'You are not authorized to issue or verify this attribute',
) {}
/** Existing servers describe these as the missing permission above. Only profile `irma` does so (`errorDescriptions`). */
export class UnknownRequestorToken extends Unauthorized {
  override readonly exactDescription = 'The requestor token is unknown'
}
export class SignedRequestTooOld extends Unauthorized {
  override readonly exactDescription = 'The signed request is too old'
}
export class WrongHost extends Unauthorized {
  override readonly exactDescription = 'The host is not that of the session, or not allowed'
}
/** wrong frontend authorization, or wrong or missing authorization of the app */
export class SessionUnauthorized extends remoteError(
  'UNAUTHORIZED',
  403,
  'You are not authorized to access the session',
) {}
export class UnexpectedRequest extends remoteError(
  'UNEXPECTED_REQUEST',
  403,
  'Unexpected request in this state',
) {}
/** a user that the keyshare server does not know, or whose account is disabled */
export class UserNotRegistered extends remoteError(
  'USER_NOT_REGISTERED',
  403,
  'User is not yet fully registered',
) {}
/** a login without a challenge, or with one that is spent */
export class MissingChallenge extends remoteError(
  'MISSING_CHALLENGE',
  409,
  'Keyshare pin response was requested without corresponding challenge',
) {}
/** a response without a commitment, or with one that is spent */
export class MissingCommitment extends remoteError(
  'MISSING_COMMITMENT',
  409,
  'Keyshare response was requested without corresponding commitment',
) {}
/** a mailed link that is unknown, used or too old */
export class InvalidToken extends remoteError('INVALID_TOKEN', 403, 'Provided token is unknown or invalid') {}
/** too many mails to one address */
export class TooManyRequests extends remoteError('TOO_MANY_REQUESTS', 429, 'Too many requests') {}
export class SessionUnknown extends remoteError('SESSION_UNKNOWN', 400, 'Unknown or expired session') {}
export class MalformedInput extends remoteError('MALFORMED_INPUT', 400, 'Input could not be parsed') {}
export class ProtocolVersionError extends remoteError(
  'PROTOCOL_VERSION',
  400,
  'Protocol version negotiation failed',
) {}
export class UnknownPublicKey extends remoteError(
  'UNKNOWN_PUBLIC_KEY',
  403,
  'Attributes were not valid against a known public key',
) {}
/** issuance: the keyshare server's part is missing or not valid */
export class KeyshareProofMissing extends remoteError(
  'KEYSHARE_PROOF_MISSING',
  403,
  'ProofP object from a keyshare server missing',
) {}
/** issuance, where the answer cannot say a proof status (D23) */
export class InvalidProofs extends remoteError(
  'INVALID_PROOFS',
  400,
  'Invalid secret key commitments and/or disclosure proofs',
) {}
/** issuance, where the answer cannot say a proof status (D23) */
export class AttributesExpired extends remoteError(
  'ATTRIBUTES_EXPIRED',
  400,
  'Disclosed attributes were expired',
) {}
export class IssuanceFailed extends remoteError('ISSUANCE_FAILED', 500, 'Failed to create credential(s)') {}
/** the next session of a chain could not be started */
export class NextSessionError extends remoteError('NEXT_SESSION', 500, 'Error starting next session') {}
/** what revocation needs is not there, or cannot be done here */
export class RevocationError extends remoteError('REVOCATION', 500, 'Revocation error') {}
/** nothing unrevoked was issued under that key */
export class UnknownRevocationKey extends remoteError(
  'UNKNOWN_REVOCATION_KEY',
  404,
  'No issuance records correspond to the given revocationKey',
) {}
/** proof verification raised an error, or a result could not be signed */
export class ExceptionError extends remoteError('EXCEPTION', 500, 'Encountered unexpected problem') {}
export class Unsupported extends remoteError('UNSUPPORTED', 501, 'Unsupported by this server') {}
export class InternalError extends remoteError('INTERNAL_ERROR', 500, 'Internal server error') {}
/** the answer is not there in time, or this server is stopping; the answer carries `Retry-After` */
export class Unavailable extends remoteError('INTERNAL_ERROR', 503, 'Internal server error') {}
/** A limit is reached: 503 with `Retry-After`, and nothing has changed. */
export class Overloaded extends Unavailable {
  override readonly type: string = 'OVERLOADED'
  override readonly description: string = 'This server has too much to do at the moment'
}
/** No further event stream, of a session or at all. */
export class TooManyStreams extends Overloaded {
  override readonly type = 'TOO_MANY_STREAMS'
  override readonly description = 'Too many open event streams'
}
/** A body of which nothing was read. */
export class NoRoomForBody extends Overloaded {}

/** The same error without a description and a message, as recorded of existing software. */
export function bare({ type, status }: RemoteError): RemoteError {
  return new RemoteError({ type, status, description: '' }, '')
}

/** The body of every answer that is not a success (spec 2.11, 7); members in the order of the wire. */
export type RemoteErrorObject = {
  readonly status: number
  readonly error: string
  readonly description?: string
  readonly message?: string
  readonly stacktrace?: string
}

/** @param verbose adds the stack trace; only for servers that were asked to
 *  @param descriptions `by-type`: as existing servers write them */
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
