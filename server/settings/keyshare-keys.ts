/** The keys of a keyshare server: those that encrypt the secrets of accounts, and the one that signs logins and answers (spec/keyshare-server#3.6, #11.4).
 *  A message names the option and the file, and never quotes a key. @module */
import { createPublicKey } from 'node:crypto'
import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyshareSigner } from '../../accounts/server-jwts.ts'
import {
  parseStorageKey,
  type StorageKey,
  type StorageKeys,
  storageKeys,
} from '../../accounts/storage-keys.ts'
import { isFile } from '../files/paths.ts'
import { checkFolder, contentOf, refuse, textOrFile } from './checks.ts'
import { Refusals } from './errors.ts'
import { privateKeyOf } from './keys.ts'
import type { KeyshareOptionValues } from './keyshare-server.ts'

const PRIMARY = 'storage_primary_key_file'
const OLDER = 'storage_fallback_keys_dir'

export type ReadStorageKeys = {
  readonly keys: StorageKeys
  /** files that are no keys, for the log */
  readonly warnings: readonly string[]
}

/** @throws {SettingsError} about a file that is missing or is no storage key, and about two keys with one number */
export function storageKeysOf(
  options: Pick<KeyshareOptionValues, typeof PRIMARY | typeof OLDER>,
): ReadStorageKeys {
  const { [PRIMARY]: file, [OLDER]: folder } = options
  const refusals = new Refusals()
  const primary = refusals.of(() => primaryKeyIn(file))
  refusals.of(() => checkFolder(OLDER, folder))
  if (refusals.error || !primary) throw refusals.error
  const { files, ignored } = folder === '' ? { files: [], ignored: [] } : olderKeyFiles(folder, file)
  const older = files.map(each => storageKeyIn(OLDER, each))
  try {
    const warnings = ignored.map(
      name => `${OLDER}: ignored, because it is no file that ends in .key: ${name}`,
    )
    return { keys: storageKeys(primary, older), warnings }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse(`${PRIMARY} and ${OLDER}`, error.message)
  }
}

/** The regular files that end in `.key` and are not hidden. The primary key may be in the same folder, and is left out. */
function olderKeyFiles(folder: string, primary: string) {
  const files: string[] = []
  const ignored: string[] = []
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (!name.endsWith('.key') || name.startsWith('.') || !isFile(path)) ignored.push(path)
    else if (realpathSync(path) !== realpathSync(primary)) files.push(path)
  }
  return { files, ignored }
}

function primaryKeyIn(file: string): StorageKey {
  if (file !== '') return storageKeyIn(PRIMARY, file)
  return refuse(
    PRIMARY,
    'expected the file of a storage key, got none; svc keyshare keygen storage makes one',
  )
}

function storageKeyIn(option: string, file: string): StorageKey {
  const content = contentOf(option, file)
  try {
    return parseStorageKey(content)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse(`${option} ${file}`, error.message)
  }
}

/** @throws {SettingsError} */
export function keyshareSignerOf(
  options: Pick<KeyshareOptionValues, 'jwt_privkey' | 'jwt_privkey_file' | 'jwt_privkey_id' | 'jwt_issuer'>,
): KeyshareSigner {
  const given = textOrFile('jwt_privkey', options.jwt_privkey, options.jwt_privkey_file)
  if (given === undefined)
    return refuse(
      'jwt_privkey',
      'expected an RSA private key, here or in "jwt_privkey_file", got none; svc keyshare keygen jwt makes one',
    )
  const privateKey = privateKeyOf(given.place, given.text)
  return {
    issuer: options.jwt_issuer,
    kid: options.jwt_privkey_id,
    privateKey,
    publicKey: createPublicKey(privateKey),
  }
}
