/** Timestamps of signatures in JSON (spec/cryptography#8.3): in a signed message, and in the answer of a timestamp server. Only the form is checked. @module */
import type { Timestamp } from '../crypto/timestamp.ts'
import type { JsonValue } from './json.ts'
import { isGiven, readInteger, readMap, readObject, readString, ShapeError } from './shape.ts'

/** Maximum number of bytes of each byte string. A signature of any algorithm is shorter. */
const MAX_BYTES = 2 ** 16

/** Maximum number of characters of each text. An address is shorter. */
const MAX_CHARACTERS = 2 ** 11

/** Reads a timestamp. A member that is left out is empty. Such a timestamp is not valid, except without `Hashing`, which means that the nonce is signed as it is.
 *  @throws {ShapeError} */
export function readTimestamp(json: JsonValue, what: string): Timestamp {
  const { Time, ServerUrl, Sig, Hashing } = readObject(json, what)
  const { Alg, Data, PublicKey } = readMap(Sig, `${what}.Sig`)
  return {
    timeSec: readInteger(Time, `${what}.Time`, Number.MAX_SAFE_INTEGER),
    serverUrl: readString(ServerUrl, `${what}.ServerUrl`, MAX_CHARACTERS),
    alg: readString(Alg, `${what}.Sig.Alg`, MAX_CHARACTERS),
    signature: readBytes(Data, `${what}.Sig.Data`),
    publicKey: readBytes(PublicKey, `${what}.Sig.PublicKey`),
    hashing: isGiven(Hashing) ? readHashing(Hashing, `${what}.Hashing`) : null,
  }
}

function readHashing(json: JsonValue, what: string): Timestamp['hashing'] {
  const { Hash, Prefix } = readObject(json, what)
  return {
    hash: readString(Hash, `${what}.Hash`, MAX_CHARACTERS),
    prefix: readBytes(Prefix, `${what}.Prefix`),
  }
}

/** Reads standard Base64 with padding. An absent value has no bytes. */
function readBytes(json: JsonValue | undefined, what: string): Uint8Array {
  const text = readString(json, what)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text)
    throw new ShapeError(`${what}: expected standard Base64 with padding, got another text`)
  if (bytes.length > MAX_BYTES)
    throw new ShapeError(`${what}: expected at most ${MAX_BYTES} bytes, got ${bytes.length}`)
  return bytes
}

/** Members are in the order of the wire. A signature or key without bytes was left out and is written as null. */
export function writeTimestamp({ timeSec, serverUrl, alg, hashing, ...bytes }: Timestamp): object {
  const { signature, publicKey } = bytes
  return {
    Time: timeSec,
    ServerUrl: serverUrl,
    Sig: { Alg: alg, Data: base64(signature) || null, PublicKey: base64(publicKey) || null },
    Hashing: hashing === null ? undefined : { Hash: hashing.hash, Prefix: base64(hashing.prefix) },
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
