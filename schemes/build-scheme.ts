/** Builds one scheme from its signed files (spec/schemes-and-cli#9.1). The path of a file decides its meaning, and its content must agree with the
 *  path. @module */
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { IssuerPublicKey } from '../crypto/public-key.ts'
import { LEAST_RSA_BITS, rsaBits } from '../crypto/rsa.ts'
import {
  type CredentialTypeId,
  type IssuerId,
  parseCredentialTypeId,
  parseIssuerId,
} from '../protocol/ids.ts'
import { findBrokenDependency } from './dependencies.ts'
import { readCredentialType, readIssuer, readScheme, type SchemeDescription } from './descriptions.ts'
import { readPublicKey } from './keys.ts'
import { NAME } from './names.ts'
import { inFile, SchemeError } from './scheme-error.ts'
import { parsePublicKeyPem, type SignedFiles } from './signed-files.ts'
import type { CredentialType, Issuer, Scheme } from './types.ts'
import { parseXml, type XmlElement } from './xml.ts'

/** The highest counter that fits in a metadata attribute. */
const MAX_COUNTER = 0xffff

/** @throws {SchemeError} */
export function buildScheme(files: SignedFiles): Scheme {
  const description = read(files, 'description.xml', readScheme)
  if (description.id !== files.schemeId)
    refuse(
      files,
      'description.xml',
      `Id: expected "${files.schemeId}" as in the index, got "${description.id}"`,
    )
  const keyshareKeys = readKeyshareKeys(files)
  if (description.keyshareServer !== '' && !keyshareKeys.has(0))
    refuse(files, 'kss-0.pem', 'not in the index, but the scheme has a KeyshareServer')
  const timestampSec = readTimestamp(files)
  const issuers = readIssuers(files, description)
  return { ...description, keyshareKeys, timestampSec, issuers }
}

function refuse(files: SignedFiles, path: string, reason: string): never {
  throw new SchemeError(join(files.folder, path), reason)
}

function contentOf(files: SignedFiles, path: string): Buffer {
  return files.contents.get(path) ?? refuse(files, path, 'not in the index')
}

function read<Result>(files: SignedFiles, path: string, reader: (root: XmlElement) => Result): Result {
  const content = contentOf(files, path)
  return inFile(join(files.folder, path), () => reader(parseXml(content)))
}

function readTimestamp(files: SignedFiles): number {
  return timestampIn(join(files.folder, 'timestamp'), contentOf(files, 'timestamp'))
}

/** Unix seconds. @throws {SchemeError} */
export function timestampIn(file: string, content: Buffer): number {
  const text = content.toString('latin1').replace(/\n$/, '')
  const seconds = /^[+-]?[0-9]+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(seconds)) return seconds
  throw new SchemeError(file, 'expected Unix seconds, got something else')
}

function readKeyshareKeys(files: SignedFiles): ReadonlyMap<number, KeyObject> {
  const keys = new Map<number, KeyObject>()
  for (const [path, content] of files.contents) {
    const number = /^kss-([0-9]{1,9})\.pem$/.exec(path)?.[1]
    if (number === undefined) continue
    const key = parsePublicKeyPem(content)
    const bits = key && rsaBits(key)
    if (!bits) return refuse(files, path, 'expected a PEM block with an RSA public key, got something else')
    if (bits < LEAST_RSA_BITS)
      return refuse(files, path, `expected an RSA key of at least ${LEAST_RSA_BITS} bits, got ${bits}`)
    keys.set(Number(number), key)
  }
  return keys
}

type IssuerPaths = { readonly keys: string[]; readonly types: string[] }

function readIssuers(files: SignedFiles, scheme: SchemeDescription): ReadonlyMap<IssuerId, Issuer> {
  const folders = new Map<string, IssuerPaths>()
  for (const path of files.contents.keys()) {
    const [, name, key, type] =
      /^([^/]+)\/(?:description\.xml|(PublicKeys\/[^/]+)|(Issues\/[^/]+\/description\.xml))$/.exec(path) ?? []
    if (name === undefined) continue
    if (!NAME.test(name)) refuse(files, path, `issuer: expected letters, digits, "_" or "-", got "${name}"`)
    const paths = folders.get(name) ?? { keys: [], types: [] }
    folders.set(name, paths)
    if (key) paths.keys.push(path)
    if (type) paths.types.push(path)
  }
  const issuers = [...folders].map(([name, paths]) => readOneIssuer(files, scheme, name, paths))
  checkDependencies(files, issuers)
  return new Map(issuers.map(issuer => [issuer.id, issuer]))
}

function readOneIssuer(
  files: SignedFiles,
  scheme: SchemeDescription,
  name: string,
  paths: IssuerPaths,
): Issuer {
  const id = parseIssuerId(`${scheme.id}.${name}`)
  const { languages, ...issuer } = read(files, `${name}/description.xml`, root =>
    readIssuer(root, id, scheme),
  )
  const types = paths.types.map(path => readOneType(files, { ...scheme, languages }, id, path))
  const publicKeys = readPublicKeys(files, paths.keys)
  checkBases(files, name, types, publicKeys)
  return { ...issuer, credentialTypes: new Map(types.map(type => [type.id, type])), publicKeys }
}

type Surroundings = Pick<SchemeDescription, 'languages' | 'isDemo'>

function readOneType(
  files: SignedFiles,
  around: Surroundings,
  issuer: IssuerId,
  path: string,
): CredentialType {
  const name = path.split('/')[2] ?? ''
  if (!NAME.test(name))
    refuse(files, path, `credential type: expected letters, digits, "_" or "-", got "${name}"`)
  const id = parseCredentialTypeId(`${issuer}.${name}`)
  return read(files, path, root => readCredentialType(root, id, around))
}

function readPublicKeys(files: SignedFiles, paths: readonly string[]): ReadonlyMap<number, IssuerPublicKey> {
  const keys = paths.map(path => {
    const name = path.split('/')[2] ?? ''
    const counter = /^(0|[1-9][0-9]{0,4})\.xml$/.test(name) ? Number.parseInt(name, 10) : Number.NaN
    if (!(counter <= MAX_COUNTER))
      refuse(files, path, `expected a name <counter>.xml, at most ${MAX_COUNTER}`)
    return read(files, path, root => readPublicKey(root, counter))
  })
  return new Map(keys.sort((a, b) => a.counter - b.counter).map(key => [key.counter, key]))
}

/** The latest key signs, so it must have a base for each attribute, for the secret key and for the metadata. Older keys are not checked. */
function checkBases(
  files: SignedFiles,
  issuer: string,
  types: readonly CredentialType[],
  keys: ReadonlyMap<number, IssuerPublicKey>,
): void {
  const latest = [...keys.values()].at(-1)
  for (const type of latest ? types : []) {
    const needed = type.attributes.length + 2
    const bases = latest?.R.length ?? 0
    if (bases < needed)
      refuse(
        files,
        `${issuer}/PublicKeys/${latest?.counter}.xml`,
        `${type.id} needs ${needed} bases, the key has ${bases}`,
      )
  }
}

function checkDependencies(files: SignedFiles, issuers: readonly Issuer[]): void {
  const types = new Map<CredentialTypeId, CredentialType>(
    issuers.flatMap(issuer => [...issuer.credentialTypes]),
  )
  const broken = findBrokenDependency(types)
  if (!broken) return
  const [, issuer, name] = broken.type.split('.')
  refuse(files, `${issuer}/Issues/${name}/description.xml`, `Dependencies: ${broken.reason}`)
}
