/** What wallet apps say when they register, log in and change a PIN (spec 2.12, `spec/keyshare-server.md` 3.4, 4, 6 and 10): claims of a JWT that the key
 *  of the device signs, or members of a body in the previous protocol. Claims are read after the signature was checked, but for the name of the
 *  user and a key that signs itself. PINs are secret: no value stands in an error. @module */
import { readBytes } from '../base64.ts'
import { InvalidRequest } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import { type JsonObject, mapShapeErrors, readString, ShapeError } from '../shape.ts'

/** The most bytes of a PIN (note 3.4); apps send 45. Within this length it is opaque. */
export const MAX_PIN_BYTES = 64

/** The longest address of a mailbox. */
const MAX_EMAIL = 254
const MAX_LANGUAGE = 64
/** The Base64 of a P-256 key has 124 characters, and that of a challenge 44; others are refused where they are compared. */
const MAX_KEY_CHARACTERS = 512
const MAX_CHALLENGE_CHARACTERS = 512

/** The name of a user; by itself it proves nothing.
 *  @throws {InvalidRequest} */
export function readUserName({ id }: JsonObject): string {
  return mapShapeErrors(InvalidRequest, () => readString(id, 'id'))
}

/** The key of a device: DER of a SubjectPublicKeyInfo, not parsed.
 *  @throws {InvalidRequest} */
export function readPublicKey({ publickey }: JsonObject): Uint8Array {
  return mapShapeErrors(InvalidRequest, () => readBytes(publickey, 'publickey', 'base64', MAX_KEY_CHARACTERS))
}

/** The PIN, secret; empty if there is none.
 *  @throws {InvalidRequest} also if it is longer than anybody's PIN */
export function readPin({ pin }: JsonObject): string {
  return mapShapeErrors(InvalidRequest, () => pinOf(pin, 'pin'))
}

export type Registration = {
  /** secret */
  readonly pin: string
  /** empty: the user gave none; not checked */
  readonly email: string
  /** empty: the user gave none; any text */
  readonly language: string
}

/** @throws {InvalidRequest} */
export function readRegistration({ pin, email, language }: JsonObject): Registration {
  return mapShapeErrors(InvalidRequest, () => ({
    pin: pinOf(pin, 'pin'),
    email: readString(email, 'email', MAX_EMAIL),
    language: readString(language, 'language', MAX_LANGUAGE),
  }))
}

/** The challenge of a login, as the app received it.
 *  @throws {InvalidRequest} */
export function readChallenge({ challenge }: JsonObject): Uint8Array {
  return mapShapeErrors(InvalidRequest, () =>
    readBytes(challenge, 'challenge', 'base64', MAX_CHALLENGE_CHARACTERS),
  )
}

/** Both are secret. */
export type PinChange = { readonly oldPin: string; readonly newPin: string }

/** @throws {InvalidRequest} */
export function readPinChange({ oldpin, newpin }: JsonObject): PinChange {
  return mapShapeErrors(InvalidRequest, () => ({
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
