/** Statements of wallet apps that register, log in and change a PIN (spec/interface#2.12, spec/keyshare-server#3.4, #4, #6 and #10). They are claims of a JWT signed by
 *  the device key, or members of a body in the previous protocol, which has no device key. Claims are read after the signature was checked, except the user name and a
 *  key that signs itself. PINs are secret: no error contains a value. @module */
import { readBytes } from '../base64.ts'
import { InvalidRequestError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import { type JsonObject, mapShapeErrors, readString, ShapeError } from '../shape.ts'

/** Maximum number of bytes of a PIN (spec/keyshare-server#3.4); apps send 45. The server does not interpret them. */
export const MAX_PIN_BYTES = 64

/** Maximum length of a mail address. */
const MAX_EMAIL = 254
const MAX_LANGUAGE = 64
/** Maximum length in Base64. A P-256 key has 124 characters, a challenge 44. Other lengths are refused when they are compared. */
const MAX_KEY_CHARACTERS = 512
const MAX_CHALLENGE_CHARACTERS = 512

/** The name of a user. It proves nothing by itself.
 *  @throws {InvalidRequestError} */
export function readUserName({ id }: JsonObject): string {
  return mapShapeErrors(InvalidRequestError, () => readString(id, 'id'))
}

/** The device key: DER of a SubjectPublicKeyInfo, not parsed here.
 *  @throws {InvalidRequestError} */
export function readPublicKey({ publickey }: JsonObject): Uint8Array {
  return mapShapeErrors(InvalidRequestError, () =>
    readBytes(publickey, 'publickey', 'base64', MAX_KEY_CHARACTERS),
  )
}

/** The PIN, secret. Empty if it is absent.
 *  @throws {InvalidRequestError} also if it is longer than any PIN */
export function readPin({ pin }: JsonObject): string {
  return mapShapeErrors(InvalidRequestError, () => pinOf(pin, 'pin'))
}

export type Registration = {
  /** secret */
  readonly pin: string
  /** empty if the user gave none; not checked */
  readonly email: string
  /** empty if the user gave none; any text */
  readonly language: string
}

/** @throws {InvalidRequestError} */
export function readRegistration({ pin, email, language }: JsonObject): Registration {
  return mapShapeErrors(InvalidRequestError, () => ({
    pin: pinOf(pin, 'pin'),
    email: readString(email, 'email', MAX_EMAIL),
    language: readString(language, 'language', MAX_LANGUAGE),
  }))
}

/** The challenge of a login, as the app received it.
 *  @throws {InvalidRequestError} */
export function readChallenge({ challenge }: JsonObject): Uint8Array {
  return mapShapeErrors(InvalidRequestError, () =>
    readBytes(challenge, 'challenge', 'base64', MAX_CHALLENGE_CHARACTERS),
  )
}

/** A change of PIN. Both members are secret. */
export type PinChange = { readonly oldPin: string; readonly newPin: string }

/** @throws {InvalidRequestError} */
export function readPinChange({ oldpin, newpin }: JsonObject): PinChange {
  return mapShapeErrors(InvalidRequestError, () => ({
    oldPin: pinOf(oldpin, 'oldpin'),
    newPin: pinOf(newpin, 'newpin'),
  }))
}

function pinOf(json: JsonValue | undefined, what: string): string {
  const pin = readString(json, what)
  if (Buffer.byteLength(pin) > MAX_PIN_BYTES)
    throw new ShapeError(`pin too long: ${what}: expected at most ${MAX_PIN_BYTES} bytes, got more`)
  return pin
}
