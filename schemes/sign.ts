/** Signs a scheme folder (spec/schemes-and-cli#8): selects the files, writes the index of their hashes, and signs it. The caller passes the private
 *  key of the scheme; no other private keys are read. @module */
import { createPublicKey, hash, type KeyObject, sign } from 'node:crypto'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScheme } from './descriptions.ts'
import { NAME } from './names.ts'
import { fileFailure, inFile, SchemeError } from './scheme-error.ts'
import { limitOf, parsePublicKeyPem, readLimited } from './signed-files.ts'
import { parseXml } from './xml.ts'

/** The maximum depth of folders; a link to a parent folder would never end. */
const MAX_DEPTH = 10

/** The text of an index, in byte order of the paths.
 *  @param files by path below the scheme's folder */
export function indexOf(schemeId: string, files: ReadonlyMap<string, string | Uint8Array>): string {
  return [...files]
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([path, content]) => `${hash('sha256', content)} ${schemeId}/${path}\n`)
    .join('')
}

/** Writes `index`, `index.sig` and `pk.pem`.
 *  @param key secret, of the curve P-256
 *  @throws {SchemeError} */
export function writeIndex(folder: string, index: string, key: KeyObject): void {
  write(join(folder, 'index'), index)
  write(join(folder, 'index.sig'), sign('sha256', Buffer.from(index), { key, dsaEncoding: 'der' }))
  write(join(folder, 'pk.pem'), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
}

/** Signs the files of an issuer scheme in its folder, with the current time.
 *  @param key secret, of the curve P-256
 *  @throws {SchemeError} before any file is written, unless writing fails */
export function signScheme(folder: string, key: KeyObject, nowSec: number): void {
  const schemeId = idOf(folder)
  checkAnchor(folder, key)
  const timestamp = `${nowSec}\n`
  const files = new Map<string, string | Uint8Array>([['timestamp', timestamp]])
  for (const path of pathsBelow(folder)) if (isSigned(path)) files.set(path, contentToSign(folder, path))
  write(join(folder, 'timestamp'), timestamp)
  writeIndex(folder, indexOf(schemeId, files), key)
}

function write(file: string, content: string | Uint8Array): void {
  try {
    writeFileSync(file, content)
  } catch (error) {
    throw fileFailure(file, 'a file that can be written', error)
  }
}

function idOf(folder: string): string {
  const file = join(folder, 'description.xml')
  if (!existsSync(file) && existsSync(join(folder, 'description.json')))
    throw new SchemeError(folder, 'expected an issuer scheme, got a requestor scheme')
  const content = readLimited(file, limitOf(file))
  return inFile(file, () => readScheme(parseXml(content))).id
}

/** Refuses to replace pk.pem, which every installation trusts. With another key they would all reject updates. */
function checkAnchor(folder: string, key: KeyObject): void {
  const file = join(folder, 'pk.pem')
  if (!existsSync(file)) return
  const anchor = parsePublicKeyPem(readLimited(file, limitOf(file)))
  if (!anchor?.equals(createPublicKey(key)))
    throw new SchemeError(
      file,
      'expected the public key of the private key: remove it to sign with another key',
    )
}

function* pathsBelow(folder: string, path = '', depth = 0): Generator<string> {
  if (depth > MAX_DEPTH)
    throw new SchemeError(join(folder, path), `expected at most ${MAX_DEPTH} folders in each other`)
  for (const name of readdirSync(join(folder, path)).sort()) {
    const below = path === '' ? name : `${path}/${name}`
    if (!isFolder(join(folder, below))) yield below
    else if (name !== '.git') yield* pathsBelow(folder, below, depth + 1)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw fileFailure(path, 'a file that can be read', error)
  }
}

/** `timestamp` is not among them; each signature writes a new one. */
function isSigned(path: string): boolean {
  if (/(^|\/)(PrivateKeys|Proofs)\//.test(path)) return false
  return /\.(xml|png)$|kss-[0-9]+\.pem$/.test(path)
}

function contentToSign(folder: string, path: string): Uint8Array {
  const file = join(folder, path)
  for (const segment of path.split('/'))
    if (!NAME.test(segment.replaceAll('.', '_')))
      throw new SchemeError(file, 'expected a name of letters, digits, ".", "_" and "-"')
  const content = readLimited(file, limitOf(path))
  if (!path.endsWith('.png') && content.includes('\r\n'))
    throw new SchemeError(file, 'expected lines that end in LF, got CRLF (Windows) line endings')
  return content
}
