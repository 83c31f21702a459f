/** Creates the keys of a keyshare server (spec/keyshare-server#3.6, #11.4). It never replaces an existing key. @module */
import { generateKeyPairSync } from 'node:crypto'
import { resolve } from 'node:path'
import { storageKeyFile } from '../../accounts/storage-keys.ts'
import { LEAST_RSA_BITS } from '../../crypto/rsa.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { decimalIn } from '../decimal.ts'
import { writeNewPair, writeNewPrivate } from '../key-files.ts'

export type StorageKeyFlags = { readonly keyFile: string; readonly counter: string }

export type SigningKeyFlags = {
  readonly privateKey?: string
  readonly publicKey?: string
  readonly counter: string
}

const STORAGE_KEY_BYTES = 32
/** Maximum number of a storage key, which has 32 bits. */
const MOST_STORAGE_NUMBER = 2 ** 32 - 1
/** Maximum number of a signing key in schemes. */
const MOST_SIGNING_NUMBER = 999_999_999

/** @returns the mistake in the flags; undefined after the file is written */
export function makeStorageKey({ keyFile, counter }: StorageKeyFlags): string | undefined {
  const number = numberIn(counter, MOST_STORAGE_NUMBER)
  if (typeof number === 'string') return number
  const content = storageKeyFile(number, systemRandomness.bytes(STORAGE_KEY_BYTES))
  const mistake = writeNewPrivate({ file: keyFile, option: '--key-file', content })
  if (!mistake) process.stdout.write(`Storage key ${number} written at ${resolve(keyFile)}\n`)
  return mistake
}

/** @returns the mistake in the flags; undefined after both files are written */
export function makeSigningKey(flags: SigningKeyFlags): string | undefined {
  const number = numberIn(flags.counter, MOST_SIGNING_NUMBER)
  if (typeof number === 'string') return number
  const {
    privateKey: privateFile = `kss-${number}.private.pem`,
    publicKey: publicFile = `kss-${number}.pem`,
  } = flags
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: LEAST_RSA_BITS })
  const mistake = writeNewPair(
    {
      file: privateFile,
      option: '--private-key',
      content: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    },
    { file: publicFile, option: '--public-key', content: publicKey.export({ type: 'spki', format: 'pem' }) },
  )
  if (!mistake)
    process.stdout.write(
      `Private key ${number} written at ${resolve(privateFile)}\nPublic key ${number} written at ${resolve(publicFile)}\n`,
    )
  return mistake
}

/** @returns the number, or the mistake in it */
function numberIn(text: string, most: number): number | string {
  const number = decimalIn(text)
  return number <= most
    ? number
    : `--counter: expected an integer from 0 to ${most}, got ${JSON.stringify(text.slice(0, 40))}`
}
