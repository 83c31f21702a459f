/** Bodies that wallet apps send to register, log in and change a PIN (spec 2.12, `spec/keyshare-server.md` 4, 6 and 10): a JWT that the key of the device
 *  signs, in a JSON object with a name for each endpoint or bare (K10); and the forms of the previous protocol, which had no key of a device (spec 9.5).
 *  PINs are secret: no value stands in an error. @module */
import { InvalidRequest } from '../errors.ts'
import { isGiven, type JsonObject, mapShapeErrors, readObject, readString, readText } from '../shape.ts'
import {
  type PinChange,
  type Registration,
  readPin,
  readPinChange,
  readRegistration,
  readUserName,
} from './claims.ts'

/** A JWT, of which nothing is checked. */
export type SignedBody = { readonly type: 'signed'; readonly jwt: string }

/** The form of the previous protocol. */
export type PlainBody<Content> = { readonly type: 'plain'; readonly content: Content }

export type PlainLogin = { readonly userName: string; readonly pin: string }
export type PlainPinChange = PinChange & { readonly userName: string }

/** Three parts in the alphabet of a JWT, which no JSON text is. */
const BARE_JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** `POST /client/register`. Beside a JWT, all other members are ignored.
 *  @throws {InvalidRequest} also for a device key that nothing signed */
export function parseRegistration(text: string): SignedBody | PlainBody<Registration> {
  return readBody(text, 'enrollment_jwt', body => {
    if (isGiven(body.publickey) && body.publickey !== '')
      throw new InvalidRequest(
        'when public key is specified, registration message must be signed: expected enrollment_jwt',
      )
    return readRegistration(body)
  })
}

/** `POST /users/verify_start`.
 *  @returns the JWT
 *  @throws {InvalidRequest} */
export function parseLoginStart(text: string): string {
  return onlyJwt(text, 'auth_request_jwt', 'auth_request_jwt: expected a JWT, got none')
}

/** `POST /users/verify/pin_challengeresponse`, under either spelling.
 *  @returns the JWT
 *  @throws {InvalidRequest} */
export function parseLogin(text: string): string {
  return onlyJwt(text, 'auth_response_jwt', 'wrong endpoint: expected auth_response_jwt, got none')
}

/** `POST /users/verify/pin`, the login of the previous protocol.
 *  @throws {InvalidRequest} */
export function parsePlainLogin(text: string): PlainLogin {
  const login = readBody(text, 'auth_response_jwt', body => ({
    userName: readUserName(body),
    pin: readPin(body),
  }))
  if (login.type === 'signed')
    throw new InvalidRequest('wrong endpoint: expected a PIN without JWT, got a JWT')
  return login.content
}

/** `POST /users/change/pin`, under either spelling.
 *  @throws {InvalidRequest} */
export function parsePinChange(text: string): SignedBody | PlainBody<PlainPinChange> {
  return readBody(text, 'change_pin_jwt', body => ({
    userName: readUserName(body),
    ...readPinChange(body),
  }))
}

/** `POST /users/register_publickey`.
 *  @returns the JWT
 *  @throws {InvalidRequest} */
export function parseKeyRegistration(text: string): string {
  return onlyJwt(text, 'jwt', 'jwt: expected a JWT, got none')
}

function onlyJwt(text: string, member: string, otherwise: string): string {
  const body = readBody(text, member, () => null)
  if (body.type === 'plain') throw new InvalidRequest(otherwise)
  return body.jwt
}

/** @param member that holds the JWT; absent or empty: the plain form */
function readBody<Content>(
  text: string,
  member: string,
  readPlain: (body: JsonObject) => Content,
): SignedBody | PlainBody<Content> {
  const bare = text.trim()
  if (BARE_JWT.test(bare)) return { type: 'signed', jwt: bare }
  return mapShapeErrors(InvalidRequest, () => {
    const body = readObject(readText(text), 'body')
    const jwt = readString(body[member], member)
    return jwt === '' ? { type: 'plain', content: readPlain(body) } : { type: 'signed', jwt }
  })
}
