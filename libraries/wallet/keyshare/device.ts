/** The device of an account (spec/interface#5.4.1, spec/keyshare-server#3.3 to #3.5): a P-256 key that signs the wallet's messages, and the salt of the PIN. Both are
 *  secret files in the wallet's folder, one pair per scheme. A phone keeps the key in secure hardware. @module */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { RandomBytes } from '../../../crypto/random.ts'
import { writeJws } from '../../../protocol/compact-jws.ts'
import type { SchemeId } from '../../../protocol/ids.ts'
import { refusedBySystem, WalletError } from '../errors.ts'

const SALT_BYTES = 32

export type Device = {
  /** DER of the public key, in Base64 */
  readonly publicKey: string
  /** Signs the claims as a compact JWT, with ES256.
   *  @returns secret, if it contains a PIN */
  jwt(claims: object): string
  /** The value that a keyshare server compares instead of the PIN, which it never gets; secret (spec/interface#2.12). */
  pinValue(pin: string): string
}

/** Creates both files (0600), and replaces those of a failed registration.
 *  @throws {WalletError} if the folder cannot be written */
export async function createDevice(dir: string, scheme: SchemeId, randomBytes: RandomBytes): Promise<Device> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const salt = randomBytes(SALT_BYTES)
  await store(keyFile(dir, scheme), String(privateKey.export({ format: 'pem', type: 'pkcs8' })))
  await store(saltFile(dir, scheme), salt)
  return deviceOf(privateKey, salt)
}

/** @throws {WalletError} if a file is missing or damaged; the message contains its name and none of its contents */
export async function openDevice(dir: string, scheme: SchemeId): Promise<Device> {
  const salt = await read(saltFile(dir, scheme))
  if (salt.length !== SALT_BYTES)
    throw new WalletError(`${saltFile(dir, scheme)}: expected ${SALT_BYTES} bytes, got ${salt.length}`)
  return deviceOf(privateKeyOf(keyFile(dir, scheme), await read(keyFile(dir, scheme))), salt)
}

function keyFile(dir: string, scheme: SchemeId): string {
  return join(dir, `${scheme}.device-key.pem`)
}

function saltFile(dir: string, scheme: SchemeId): string {
  return join(dir, `${scheme}.salt`)
}

function privateKeyOf(path: string, pem: Buffer): KeyObject {
  let key: KeyObject | null = null
  try {
    key = createPrivateKey(pem)
  } catch {
    // reported below; the cause may quote the file
  }
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new WalletError(`${path}: expected a private key of P-256 in PEM, got something else`)
  return key
}

function deviceOf(privateKey: KeyObject, salt: Uint8Array): Device {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return {
    publicKey: der.toString('base64'),
    jwt(claims) {
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
      return writeJws({ alg: 'ES256', typ: 'JWT' }, claims, text => sign('sha256', text, key))
    },
    pinValue: pin => `${createHash('sha256').update(salt).update(pin).digest('base64')}\n`,
  }
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw refusedBySystem(path, 'a file of this wallet that can be read', error)
  }
}

/** Stores the whole file, flushed to disk, or nothing. Without these files an account is lost. */
async function store(path: string, content: string | Uint8Array): Promise<void> {
  const next = `${path}.next`
  try {
    await using file = await open(next, 'w', 0o600)
    await file.writeFile(content)
    await file.sync()
    await rename(next, path)
  } catch (error) {
    throw refusedBySystem(path, 'a file that can be written', error)
  }
}
