/** The signed content of one scheme folder (spec/schemes-and-cli#8): the index, its signature, and the hash of every listed file. The loader ignores
 *  unlisted files; pk.pem is the local trust anchor. @module */
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { NAME } from './names.ts'
import { fileFailure, SchemeError } from './scheme-error.ts'

/** The maximum size in bytes of each kind of file. The largest files in use are smaller: a logo of 1.7 MB, an index of 56 kB, a key of 59 kB. */
export const LIMITS = { index: 4 << 20, signature: 512, xml: 1 << 20, other: 8 << 20 } as const

export type SignedFiles = {
  readonly folder: string
  /** the index itself */
  readonly index: Buffer
  /** first part of every path in the index */
  readonly schemeId: string
  /** by path below the folder, in byte order of the paths; pictures are checked but not kept */
  readonly contents: ReadonlyMap<string, Buffer>
  /** the paths of all files in the index, including pictures */
  readonly paths: ReadonlySet<string>
}

/** Reads synchronously: thousands of small files through the thread pool take several times the CPU time.
 *  @throws {SchemeError} if the path is missing, is not a file, or the file is too large */
export function readLimited(file: string, limit: number): Buffer {
  try {
    const facts = statSync(file)
    if (!facts.isFile()) throw new SchemeError(file, 'expected a file, got something else')
    if (facts.size > limit) throw new SchemeError(file, `expected at most ${limit} bytes, got ${facts.size}`)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof SchemeError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new SchemeError(file, 'expected a file, found none')
    throw fileFailure(file, 'a file that can be read', error)
  }
}

export function limitOf(path: string): number {
  return path.endsWith('.xml') ? LIMITS.xml : LIMITS.other
}

/** @throws {SchemeError} unless the signature fits the index, and the index fits every file */
export function readSignedFiles(folder: string): SignedFiles {
  const indexFile = join(folder, 'index')
  const index = readLimited(indexFile, LIMITS.index)
  checkSignature(folder, index)
  const { schemeId, hashes } = parseIndex(indexFile, index.toString('utf8'))
  const contents = new Map<string, Buffer>()
  for (const path of [...hashes.keys()].sort()) {
    const file = join(folder, path)
    const content = readLimited(file, limitOf(path))
    if (hash('sha256', content) !== hashes.get(path))
      throw new SchemeError(file, 'hash is not the one in the index')
    if (!path.endsWith('.png')) contents.set(path, content)
  }
  return { folder, index, schemeId, contents, paths: new Set(hashes.keys()) }
}

function checkSignature(folder: string, index: Buffer): void {
  const [keyFile, signatureFile] = [join(folder, 'pk.pem'), join(folder, 'index.sig')]
  const key = parseSchemeKey(keyFile, readLimited(keyFile, LIMITS.xml))
  checkSignatureOf(index, key, signatureFile, readLimited(signatureFile, LIMITS.signature))
}

/** @throws {SchemeError} unless it is a P-256 key */
export function parseSchemeKey(file: string, pem: Buffer): KeyObject {
  const key = parsePublicKeyPem(pem)
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new SchemeError(file, 'expected a PEM block with a P-256 public key, got something else')
}

/** @throws {SchemeError} */
export function checkSignatureOf(index: Buffer, key: KeyObject, file: string, signature: Buffer): void {
  if (!verify('sha256', index, { key, dsaEncoding: 'der' }, signature))
    throw new SchemeError(file, 'signature does not fit index and pk.pem')
}

/** The first PEM block as SubjectPublicKeyInfo, with any label; null: there is none. */
export function parsePublicKeyPem(pem: Buffer): KeyObject | null {
  const block = /-----BEGIN [A-Z ]+-----([A-Za-z0-9+/=\s]+)-----END /.exec(pem.toString('latin1'))?.[1]
  if (!block) return null
  try {
    return createPublicKey({ key: Buffer.from(block, 'base64'), format: 'der', type: 'spki' })
  } catch {
    return null // not a public key; the caller throws the error
  }
}

export type Index = { readonly schemeId: string; readonly hashes: ReadonlyMap<string, string> }

/** @throws {SchemeError} */
export function parseIndex(file: string, text: string): Index {
  const hashes = new Map<string, string>()
  let schemeId: string | undefined
  for (const [number, line] of text.split('\n').entries()) {
    if (line === '') continue
    const refuse = (reason: string): never => {
      throw new SchemeError(file, `line ${number + 1}: ${reason}`)
    }
    const [hash = '', path = '', ...more] = line.split(' ')
    if (more.length > 0 || !/^[0-9a-fA-F]{64}$/.test(hash) || path === '')
      refuse('expected a SHA-256 in hex, a space and a path')
    const [id = '', ...segments] = path.split('/')
    schemeId ??= id
    if (id !== schemeId) refuse(`expected a path of scheme "${schemeId}", got ${JSON.stringify(path)}`)
    if (!NAME.test(id) || segments.length === 0 || !segments.every(isPlain))
      refuse(`expected a path inside of the folder, got the unsafe path ${JSON.stringify(path)}`)
    const below = segments.join('/')
    if (hashes.has(below)) refuse(`expected each path once, but ${JSON.stringify(path)} is listed twice`)
    hashes.set(below, hash.toLowerCase())
  }
  if (schemeId === undefined) throw new SchemeError(file, 'expected at least one file, got none')
  return { schemeId, hashes }
}

/** True if the segment names an entry of its folder on every system. */
function isPlain(segment: string): boolean {
  return !['', '.', '..'].includes(segment) && !/[\\:\p{Cc}]/u.test(segment)
}
