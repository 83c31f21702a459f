/** Bodies of wallet apps that register, log in and change a PIN (spec/interface#2.12, spec/keyshare-server#4, #6 and #10). A body is a JWT signed by the device key, bare
 *  or in a JSON object with a member name for each endpoint (spec/decisions#k10). The previous protocol had no device key and used plain forms (spec/interface#9.5). PINs
 *  are secret: no error contains a value. @module */
import { InvalidRequestError } from '../errors.ts'
import { isGiven, type JsonObject, mapShapeErrors, readObject, readString, readText } from '../shape.ts'
import {
  type PinChange,
  type Registration,
  readPin,
  readPinChange,
  readRegistration,
  readUserName,
} from './claims.ts'

/** A JWT, not checked yet. */
export type SignedBody = { readonly type: 'signed'; readonly jwt: string }

/** The form of the previous protocol. */
export type PlainBody<Content> = { readonly type: 'plain'; readonly content: Content }

export type PlainLogin = { readonly userName: string; readonly pin: string }
export type PlainPinChange = PinChange & { readonly userName: string }

/** Three parts in the alphabet of a JWT. No JSON text matches. */
const BARE_JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** Reads the body of `POST /client/register`. All members beside a JWT are ignored.
 *  @throws {InvalidRequestError} also for a device key without a signature */
export function parseRegistration(text: string): SignedBody | PlainBody<Registration> {
  return readBody(text, 'enrollment_jwt', body => {
    if (isGiven(body.publickey) && body.publickey !== '')
      throw new InvalidRequestError(
        'when public key is specified, registration message must be signed: expected enrollment_jwt',
      )
    return readRegistration(body)
  })
}

/** Reads the body of `POST /users/verify_start`.
 *  @returns the JWT
 *  @throws {InvalidRequestError} */
export function parseLoginStart(text: string): string {
  return onlyJwt(text, 'auth_request_jwt', 'auth_request_jwt: expected a JWT, got none')
}

/** Reads the body of `POST /users/verify/pin_challengeresponse`, under either spelling.
 *  @returns the JWT
 *  @throws {InvalidRequestError} */
export function parseLogin(text: string): string {
  return onlyJwt(text, 'auth_response_jwt', 'wrong endpoint: expected auth_response_jwt, got none')
}

/** Reads the body of `POST /users/verify/pin`, the login of the previous protocol.
 *  @throws {InvalidRequestError} */
export function parsePlainLogin(text: string): PlainLogin {
  const login = readBody(text, 'auth_response_jwt', body => ({
    userName: readUserName(body),
    pin: readPin(body),
  }))
  if (login.type === 'signed')
    throw new InvalidRequestError('wrong endpoint: expected a PIN without JWT, got a JWT')
  return login.content
}

/** Reads the body of `POST /users/change/pin`, under either spelling.
 *  @throws {InvalidRequestError} */
export function parsePinChange(text: string): SignedBody | PlainBody<PlainPinChange> {
  return readBody(text, 'change_pin_jwt', body => ({
    userName: readUserName(body),
    ...readPinChange(body),
  }))
}

/** Reads the body of `POST /users/register_publickey`.
 *  @returns the JWT
 *  @throws {InvalidRequestError} */
export function parseKeyRegistration(text: string): string {
  return onlyJwt(text, 'jwt', 'jwt: expected a JWT, got none')
}

function onlyJwt(text: string, member: string, otherwise: string): string {
  const body = readBody(text, member, () => null)
  if (body.type === 'plain') throw new InvalidRequestError(otherwise)
  return body.jwt
}

/** @param member name of the member that holds the JWT; if it is absent or empty, the body is in the plain form */
function readBody<Content>(
  text: string,
  member: string,
  readPlain: (body: JsonObject) => Content,
): SignedBody | PlainBody<Content> {
  const bare = text.trim()
  if (BARE_JWT.test(bare)) return { type: 'signed', jwt: bare }
  return mapShapeErrors(InvalidRequestError, () => {
    const body = readObject(readText(text), 'body')
    const jwt = readString(body[member], member)
    return jwt === '' ? { type: 'plain', content: readPlain(body) } : { type: 'signed', jwt }
  })
}
