/** GET /session/{requestorToken}/result-jwt, …/getproof and /publickey (spec 4.1) need a JWT private key. This server signs no results yet, so it
 *  answers as any server without such a key (spec/session-server.md 13.3 to 13.5), whatever session is named. @module */
import { ExceptionError, Unsupported } from '../../protocol/errors.ts'

/** @throws {ExceptionError} */
export function signedResult(): never {
  throw new ExceptionError('JWT signing not supported: expected a JWT private key, got none')
}

/** @throws {Unsupported} */
export function publicKey(): never {
  throw new Unsupported('expected a JWT private key, got none')
}
