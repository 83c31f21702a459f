/** The SD-JWT issuers of a server (spec/session-server#18): the files `<issuer id>.pem` of two folders, certificates and private keys. One file that cannot be used
 *  refuses the start. @module */
import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type IssuerId, parseIssuerId } from '../../protocol/ids.ts'
import { SOON_SEC } from '../latest-key.ts'
import { BrokenFileError, fileFailure, inFile, SchemeError } from '../scheme-error.ts'
import { readLimited } from '../signed-files.ts'
import { type Chain, isP256, pemBlocks, readChain } from './certificates.ts'

export type SdJwtIssuer = Pick<Chain, 'url' | 'x5c' | 'validFromSec' | 'validUntilSec'> & {
  readonly id: IssuerId
  /** the file of its certificates */
  readonly file: string
  /** secret; on the curve P-256 */
  readonly privateKey: KeyObject
}

export type SdJwtIssuers = Pick<ReadonlyMap<IssuerId, SdJwtIssuer>, 'get' | 'values'>

export type ReadSdJwtIssuers = {
  readonly issuers: ReadonlyMap<IssuerId, SdJwtIssuer>
  /** `fingerprintOf` the folders just before they were read */
  readonly fingerprint: string
  /** each begins with the name of its file or folder */
  readonly warnings: readonly string[]
}

export type SdJwtFolders = { readonly certificates: string; readonly privateKeys: string }

type Source = SdJwtFolders & {
  /** true if the schemes have the issuer */
  readonly isKnown: (id: IssuerId) => boolean
}

const PEM = '.pem'

/** @throws {SchemeError} that names the file, about the first one that cannot be used */
export function readSdJwtIssuers({ certificates, privateKeys, isKnown }: Source): ReadSdJwtIssuers {
  const fingerprint = fingerprintOf({ certificates, privateKeys })
  const chains = filesOf(certificates, 'certificates', readChain)
  const keys = filesOf(privateKeys, 'private keys', readPrivateKey)
  const issuers = new Map<IssuerId, SdJwtIssuer>()
  const warnings = [...chains.warnings, ...keys.warnings]
  for (const [name, { file, value: privateKey }] of keys.files) {
    const chain = chains.files.get(name)
    if (chain === undefined) {
      warnings.push(`${file}: no certificates: expected them in ${join(certificates, name + PEM)}`)
      continue
    }
    checkPair(chain, { file, privateKey })
    warnings.push(...chain.value.warnings.map(text => `${chain.file}: ${text}`))
    const id = issuerIdOf(name)
    // a scheme may get the issuer later
    if (id === null || !isKnown(id))
      warnings.push(`${file}: without effect, because the schemes have no issuer ${name}`)
    if (id === null) continue
    const { url, x5c, validFromSec, validUntilSec } = chain.value
    issuers.set(id, { id, file: chain.file, privateKey, url, x5c, validFromSec, validUntilSec })
  }
  for (const [name, { file }] of chains.files)
    if (!keys.files.has(name))
      warnings.push(`${file}: no private key: expected it in ${join(privateKeys, name + PEM)}`)
  return { issuers, fingerprint, warnings }
}

/** Every SD-JWT contains the certificates, so a larger file is none of them. */
const MOST_BYTES = 2 ** 17

/** A hash of the names and contents of the files. Equal hashes mean that nothing has changed. A file or folder that cannot be read counts by its error code. */
export function fingerprintOf({ certificates, privateKeys }: SdJwtFolders): string {
  const hash = createHash('sha256')
  for (const folder of [certificates, privateKeys]) {
    const names = orCode(() => readdirSync(folder).filter(isPem).sort())
    const contents = typeof names === 'string' ? names : names.map(name => [name, contentFor(folder, name)])
    hash.update(JSON.stringify(contents))
  }
  return hash.digest('base64')
}

function contentFor(folder: string, name: string): string {
  return orCode(() => readLimited(join(folder, name), MOST_BYTES).toString('base64'))
}

function orCode<Result>(read: () => Result): Result | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof SchemeError) return error.message
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
}

type File<Value> = { readonly file: string; readonly value: Value }

/** @param what the content of the folder, in words */
function filesOf<Value>(folder: string, what: string, read: (text: string) => Value) {
  const names = [...listed(folder, what)].sort()
  const [pems, others] = [names.filter(isPem), names.filter(name => !isPem(name))]
  const files = new Map<string, File<Value>>()
  for (const name of pems) {
    const file = join(folder, name)
    const text = readLimited(file, MOST_BYTES).toString('utf8')
    files.set(name.slice(0, -PEM.length), { file, value: inFile(file, () => read(text)) })
  }
  return {
    files,
    warnings: [
      ...(pems.length === 0 ? [`${folder}: no ${what}: expected files ISSUER.pem`] : []),
      ...others.map(name => `${join(folder, name)}: ignored, because it is no file that ends in .pem`),
    ],
  }
}

function isPem(name: string): boolean {
  return name.endsWith(PEM) && name !== PEM
}

function listed(folder: string, what: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw fileFailure(folder, `a folder of ${what}`, error)
  }
}

const EXPECTED_KEY = 'expected an unencrypted private key on the curve P-256 in PEM (SEC1 or PKCS #8)'

/** The label of PKCS #8, or the header of an older form. */
const ENCRYPTED = /^(-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m

/** @throws {BrokenFileError} without any text of the file */
function readPrivateKey(text: string): KeyObject {
  const blocks = pemBlocks(text).filter(({ label }) => label !== 'EC PARAMETERS')
  const [block] = blocks
  if (ENCRYPTED.test(text)) throw new BrokenFileError(`${EXPECTED_KEY}, got an encrypted key`)
  if (block === undefined) throw new BrokenFileError(`${EXPECTED_KEY}, got no block of PEM`)
  if (blocks.length > 1) throw new BrokenFileError(`${EXPECTED_KEY}, got ${blocks.length} blocks`)
  const key = parsedKey(block.text)
  if (!isP256(key)) throw new BrokenFileError(`${EXPECTED_KEY}, got another kind of key`)
  return key
}

function parsedKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    // without the cause, whose message may tell of the key
    throw new BrokenFileError(`${EXPECTED_KEY}, got a block that cannot be read`)
  }
}

function checkPair(chain: File<Chain>, { file, privateKey }: { file: string; privateKey: KeyObject }): void {
  inFile(file, () => {
    if (!chain.value.leaf.checkPrivateKey(privateKey))
      throw new BrokenFileError(`expected the key of the first certificate in ${chain.file}, got another`)
  })
}

/** As for issuer keys (schemes/latest-key.ts). */
export function warningsAboutDates(
  { file, validFromSec, validUntilSec }: Pick<SdJwtIssuer, 'file' | 'validFromSec' | 'validUntilSec'>,
  nowSec: number,
): string[] {
  const refused = 'session requests with SD-JWTs of this issuer are refused until then'
  if (nowSec < validFromSec) return [`${file}: valid only from ${dateOf(validFromSec)} on; ${refused}`]
  if (validUntilSec < nowSec)
    return [
      `${file}: expired at ${dateOf(validUntilSec)}; session requests with SD-JWTs of this issuer are refused, so renew the certificates`,
    ]
  if (validUntilSec >= nowSec + SOON_SEC) return []
  return [`${file}: expires soon (at ${dateOf(validUntilSec)}); renew the certificates`]
}

function dateOf(atSec: number): string {
  return new Date(atSec * 1_000).toISOString()
}

function issuerIdOf(name: string): IssuerId | null {
  try {
    return parseIssuerId(name)
  } catch {
    return null
  }
}
