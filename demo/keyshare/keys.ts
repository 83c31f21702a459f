/** The keys of the demo's keyshare server: the signing key, whose public half is in the demo's copy of the scheme, and the key that encrypts accounts. They are in
 *  a folder that is deleted at the end, or kept with the phone's wallet. @module */
import { createPublicKey, generateKeyPair } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { storageKeyFile } from '../../accounts/storage-keys.ts'
import type { Randomness } from '../../ports/randomness.ts'

const RSA_BITS = 2048
const STORAGE_KEY_BYTES = 32

export type KeyshareKeys = {
  /** PEM; secret */
  readonly privateKeyFile: string
  /** secret */
  readonly storageKeyFile: string
  /** PEM, in the form of `kss-0.pem` */
  readonly publicKey: string
}

/** Reads the keys, or creates missing ones. */
export async function keyshareKeys(folder: string, random: Pick<Randomness, 'bytes'>): Promise<KeyshareKeys> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [privateKeyFile, storageFile] = [join(folder, 'kss.private.pem'), join(folder, 'storage.key')]
  if (!existsSync(privateKeyFile)) await writeFile(privateKeyFile, await newPrivateKey(), { mode: 0o600 })
  if (!existsSync(storageFile))
    await writeFile(storageFile, storageKeyFile(0, random.bytes(STORAGE_KEY_BYTES)), { mode: 0o600 })
  const publicKey = createPublicKey(await readFile(privateKeyFile)).export({ format: 'pem', type: 'spki' })
  return { privateKeyFile, storageKeyFile: storageFile, publicKey: String(publicKey) }
}

async function newPrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS })
  return String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
}
