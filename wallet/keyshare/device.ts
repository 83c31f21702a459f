/** What makes a device the one of an account (spec 5.4.1, `spec/keyshare-server.md` 3.3 to 3.5): a P-256 key, which signs what the wallet says, and the salt of its
 *  PIN. Both are secret files of the wallet's folder, a pair for each scheme; a phone keeps the key in secure hardware. @module */
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
import type { RandomBytes } from '../../crypto/random.ts'
import { writeJws } from '../../protocol/compact-jws.ts'
import type { SchemeId } from '../../protocol/ids.ts'
import { refusedBySystem, WalletError } from '../errors.ts'

const SALT_BYTES = 32

export type Device = {
  /** DER of the public key, in Base64 */
  readonly publicKey: string
  /** A compact JWT of these claims, with ES256.
   *  @returns secret, if it holds a PIN */
  jwt(claims: object): string
  /** What a keyshare server compares: it never gets the PIN itself; secret (spec 2.12). */
  pinValue(pin: string): string
}

/** Makes both files (0600), in place of what a registration that failed left there.
 *  @throws {WalletError} if the folder cannot be written */
export async function createDevice(dir: string, scheme: SchemeId, randomBytes: RandomBytes): Promise<Device> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const salt = randomBytes(SALT_BYTES)
  await store(keyFile(dir, scheme), String(privateKey.export({ format: 'pem', type: 'pkcs8' })))
  await store(saltFile(dir, scheme), salt)
  return deviceOf(privateKey, salt)
}

/** @throws {WalletError} if a file is missing or damaged; the message names it, and nothing of its contents */
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
    // said below; the cause may quote the file
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

/** Whole and on the disk, or not at all: an account without these files is lost. */
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
