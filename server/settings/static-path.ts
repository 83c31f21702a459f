/** The option `static_path`: every client may read the files below it, so a server does not start while one of them is a secret. A file is known
 *  as secret because the settings name it, or because our own commands give it its name. A message names files, and nothing that is in them. @module */
import { type Dirent, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isServedBelow } from '../../http/static-files.ts'
import { sqliteFileOf } from '../../stores/open.ts'
import { defaultStorePath } from '../files/directories.ts'
import { isFolder } from '../files/paths.ts'
import { refuse } from './checks.ts'
import { redisSettingsOf } from './redis.ts'
import type { OptionValues } from './session-server.ts'

type Secret = { readonly what: string; readonly path: string }

/** The names that our commands give to the file of a wallet, the private key of a scheme and the folder of an issuer's private keys. */
const SECRET_NAMES: Readonly<Record<string, string>> = {
  'wallet.json': 'a wallet',
  'sk.pem': 'the private key of a scheme',
  PrivateKeys: 'private keys of an issuer',
}

/** @param settingsFile undefined: none was read
 *  @throws {SettingsError} */
export function checkStaticPath(options: OptionValues, settingsFile: string | undefined): void {
  const folder = options.static_path
  if (folder === '' || !isFolder(folder)) return // `checkOptions` refuses a folder that does not exist
  const root = realpathSync(folder)
  const named = [...namedSecrets(options, settingsFile)].map(secret => ({
    ...secret,
    path: realPathOf(secret.path),
  }))
  const found = named.find(({ path }) => isServedBelow(root, path)) ?? secretBelow(root, root)
  if (!found) return
  refuse(
    'static_path',
    `expected a folder without secrets, because every file below it is public, got ${folder}, which holds ${found.what}, ${found.path}; move one of the two`,
  )
}

function* namedSecrets(options: OptionValues, settingsFile: string | undefined): Generator<Secret> {
  if (settingsFile !== undefined) yield { what: 'the settings file', path: settingsFile }
  const store = sqliteFileOf(redisSettingsOf(options).store || `sqlite:${defaultStorePath()}`)
  if (store !== null) yield { what: 'the store', path: store }
  if (options.store_file) yield { what: 'the address of the store', path: options.store_file }
  const files = {
    tls_privkey_file: options.tls_privkey_file,
    client_tls_privkey_file: options.client_tls_privkey_file,
    jwt_privkey_file: options.jwt_privkey_file,
    redis_tls_client_key_file: options.redis_tls_client_key_file,
    privkeys: options.privkeys,
    sdjwtvc_issuer_private_keys_dir: options.sdjwtvc_issuer_private_keys_dir,
    'sdjwtvc.issuer_private_keys_dir': options.sdjwtvc.issuer_private_keys_dir,
    ...Object.fromEntries(
      Object.entries(options.requestors).map(([name, { key_file }]) => [
        `requestors.${name}.key_file`,
        key_file,
      ]),
    ),
  }
  for (const [option, path] of Object.entries(files))
    if (path) yield { what: `the keys of "${option}"`, path }
}

/** The path with its links resolved. The last names of the path need not exist yet, such as the file of the store. */
function realPathOf(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    return whole === dirname(whole) ? whole : join(realPathOf(dirname(whole)), basename(whole))
  }
}

/** Links need not be followed: their targets are served only if they are below the folder itself. */
function secretBelow(root: string, folder: string): Secret | undefined {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    const what = SECRET_NAMES[entry.name]
    if (!isServedBelow(root, path)) continue
    if (what !== undefined) return { what, path }
    const found = entry.isDirectory() ? secretBelow(root, path) : undefined
    if (found) return found
  }
  return undefined
}

/** @returns none for a folder that this user may not list, such as `lost+found` at the root of a file system */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return []
    throw error
  }
}
