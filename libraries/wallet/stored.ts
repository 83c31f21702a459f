/** The contents of a wallet, and the text of its file. All of it is secret: no error contains any of it. @module */
import { bitLength, fromBase64, toBase64 } from '../../crypto/bytes.ts'
import { readAccumulator } from '../../crypto/revocation/accumulator.ts'
import { RevocationDataError } from '../../crypto/revocation/error.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import type { ClSignature } from '../../crypto/signature.ts'
import { parseSchemeId, type SchemeId } from '../../protocol/ids.ts'
import { type JsonValue, readJson, writeJson } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { readWitness, writeWitness } from '../../protocol/revocation-json.ts'
import { isObject, type JsonObject, ShapeError } from '../../protocol/shape.ts'
import { WalletError } from './errors.ts'
import type { KeyshareAccount } from './keyshare/account.ts'
import { readSdJwt } from './sd-jwt/read.ts'

const FORMAT = 'attribute-session-service wallet'
/** Version of the format. Version 1 had no witnesses, version 2 no accounts at keyshare servers, and version 3 no SD-JWTs. A program that knows only those would lose
 *  them. */
const VERSION = 4
const READABLE: readonly JsonValue[] = [1, 2, 3, VERSION]
const WITHOUT_ACCOUNTS: readonly JsonValue[] = [1, 2]
/** Number of bits of the wallet's half of the secret key: m_u is below 2^255, so the sum with a keyshare server's half fits an attribute (spec/cryptography#1). */
export const SECRET_KEY_BITS = 255

export type StoredCredential = {
  /** random, hexadecimal; unrelated to the content of the credential */
  readonly id: string
  /** from base index 1 on: metadata first */
  readonly attributes: readonly bigint[]
  readonly signature: ClSignature
  /** left out: issued without revocation */
  readonly revocation?: StoredRevocation
}

export type StoredRevocation = {
  /** the current witness; for a revoked credential, the last valid one */
  readonly witness: Witness
  /** permanent */
  readonly isRevoked: boolean
}

export type StoredSdJwt = {
  readonly text: string
  /** of the key that it is bound to; Base64url; secret */
  readonly secret: string
}

export type WalletContents = {
  readonly developerMode: boolean
  /** the user's part of the secret key, at most `SECRET_KEY_BITS` */
  readonly secretKey: bigint
  readonly credentials: readonly StoredCredential[]
  /** at most one per scheme; the device's key and salt are in separate files */
  readonly accounts: readonly KeyshareAccount[]
  /** in the order of their issue; left out: none */
  readonly sdJwts?: readonly StoredSdJwt[]
}

export function writeContents(contents: WalletContents): string {
  const { developerMode, secretKey, credentials, accounts, sdJwts = [] } = contents
  return writeJson({
    format: FORMAT,
    version: VERSION,
    developerMode,
    secretKey: toBase64(secretKey),
    credentials: credentials.map(({ id, attributes, signature: { A, e, v }, revocation }) => ({
      id,
      attributes: attributes.map(toBase64),
      signature: { A: toBase64(A), e: toBase64(e), v: toBase64(v) },
      revocation: revocation && { ...revocation, witness: writeWitness(revocation.witness) },
    })),
    accounts,
    sdJwts,
  })
}

/** @param path of the file, for the messages
 *  @throws {WalletError} for any text that `writeContents` did not write */
export function readContents(path: string, text: string): WalletContents {
  const root = readRoot(path, text)
  const { developerMode, credentials } = root
  if (typeof developerMode !== 'boolean') throw damaged(path, 'true or false in "developerMode"')
  if (!Array.isArray(credentials)) throw damaged(path, 'a list in "credentials"')
  const secretKey = readInteger(path, root, 'secretKey')
  if (bitLength(secretKey) > SECRET_KEY_BITS) throw damaged(path, 'a smaller number in "secretKey"')
  return {
    developerMode,
    secretKey,
    credentials: credentials.map((credential: JsonValue) => readCredential(path, credential)),
    accounts: readAccounts(path, WITHOUT_ACCOUNTS.includes(root.version ?? null) ? [] : root.accounts),
    sdJwts: readSdJwts(path, root.version === VERSION ? root.sdJwts : []),
  }
}

function readSdJwts(path: string, json: JsonValue | undefined): StoredSdJwt[] {
  if (!Array.isArray(json)) throw damaged(path, 'a list in "sdJwts"')
  return json.map((each: JsonValue) => {
    const { text, secret } = isObject(each) ? each : {}
    if (typeof text !== 'string' || typeof secret !== 'string' || !isSdJwt(text))
      throw damaged(path, 'SD-JWTs with their keys in "sdJwts"')
    return { text, secret }
  })
}

function isSdJwt(text: string): boolean {
  try {
    return isCredentialType(readSdJwt(text).vct)
  } catch (error) {
    if (error instanceof ShapeError) return false
    throw error
  }
}

function isCredentialType(text: string): boolean {
  return text.split('.').length === 3
}

function readAccounts(path: string, json: JsonValue | undefined): KeyshareAccount[] {
  if (!Array.isArray(json)) throw damaged(path, 'a list in "accounts"')
  const accounts = json.map((account: JsonValue) => readAccount(path, account))
  if (new Set(accounts.map(({ scheme }) => scheme)).size < accounts.length)
    throw damaged(path, 'one account for each scheme in "accounts"')
  return accounts
}

function readAccount(path: string, json: JsonValue): KeyshareAccount {
  const { scheme, userName, profile, isOutOfSync } = isObject(json) ? json : {}
  const isRight =
    typeof scheme === 'string' && typeof userName === 'string' && typeof isOutOfSync === 'boolean'
  const { name } = Object.values(PROFILES).find(each => each.name === profile) ?? {}
  if (!isRight || name === undefined) throw damaged(path, 'accounts with their members in "accounts"')
  return { scheme: schemeId(path, scheme), userName, profile: name, isOutOfSync }
}

function schemeId(path: string, text: string): SchemeId {
  try {
    return parseSchemeId(text)
  } catch {
    throw damaged(path, 'ids of schemes in "accounts"')
  }
}

function damaged(path: string, expected: string): WalletError {
  return new WalletError(`${path}: the file is damaged, expected ${expected}`)
}

function readRoot(path: string, text: string): JsonObject {
  let root: JsonValue
  try {
    root = readJson(text)
  } catch {
    throw damaged(path, 'JSON') // without the cause, whose message may quote the text
  }
  if (!isObject(root) || root.format !== FORMAT)
    throw new WalletError(`${path}: expected the file of a wallet, this is not a wallet`)
  if (!READABLE.includes(root.version ?? null))
    throw new WalletError(`${path}: expected a wallet of version ${READABLE.join(' or ')}`)
  return root
}

function readCredential(path: string, value: JsonValue): StoredCredential {
  if (!isObject(value) || typeof value.id !== 'string')
    throw damaged(path, 'an object with an id in "credentials"')
  const { id, attributes, signature, revocation } = value
  if (!Array.isArray(attributes)) throw damaged(path, 'a list in "attributes"')
  if (!isObject(signature)) throw damaged(path, 'an object in "signature"')
  return {
    id,
    attributes: attributes.map((_, i) => readInteger(path, attributes, i)),
    signature: {
      A: readInteger(path, signature, 'A'),
      e: readInteger(path, signature, 'e'),
      v: readInteger(path, signature, 'v'),
    },
    ...(revocation !== undefined && { revocation: readRevocation(path, revocation) }),
  }
}

function readRevocation(path: string, value: JsonValue): StoredRevocation {
  if (!isObject(value) || typeof value.isRevoked !== 'boolean')
    throw damaged(path, 'an object with true or false in "isRevoked" in "revocation"')
  try {
    const witness = readWitness(value.witness, 'witness')
    readAccumulator(witness.signed)
    return { witness, isRevoked: value.isRevoked }
  } catch (error) {
    const isDamage = error instanceof ShapeError || error instanceof RevocationDataError
    if (isDamage) throw damaged(path, 'a witness in "revocation"') // their messages may quote the text
    throw error
  }
}

function readInteger(path: string, parent: JsonObject | readonly JsonValue[], name: string | number): bigint {
  const value = Object.entries(parent).find(([key]) => key === String(name))?.[1]
  try {
    if (typeof value === 'string') return fromBase64(value)
  } catch {
    // the message below contains all that may be shown of a secret
  }
  throw damaged(path, `a Base64 number in "${name}"`)
}
