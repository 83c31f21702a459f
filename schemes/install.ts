/** Installs and updates schemes (spec/schemes-and-cli#11.2, #11.3). A new version is built in a temporary folder and checked as a whole; then it
 *  replaces the old one (`take-place.ts`). @module */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, relative, sep } from 'node:path'
import { buildScheme } from './build-scheme.ts'
import { addDemoKeys } from './demo-keys.ts'
import { readScheme, type SchemeDescription } from './descriptions.ts'
import { readContent } from './load.ts'
import { oldFolderOf } from './names.ts'
import { type FetchFile, fetchIndex, fetchInto, type RemoteIndex } from './remote.ts'
import { fileFailure, inFile, SchemeError } from './scheme-error.ts'
import { placed } from './seats.ts'
import { LIMITS, parseIndex, parseSchemeKey, readLimited, readSignedFiles } from './signed-files.ts'
import { dropKept, finishInterrupted, takePlace } from './take-place.ts'
import type { SchemeContent } from './types.ts'
import { parseXml } from './xml.ts'

/** The maximum age of a temporary folder of an update. No update runs that long. */
const ABANDONED_MS = 24 * 3_600_000

/** A folder with one of these files is taken for a scheme (`load.ts`). */
const SCHEME_FILES = ['description.xml', 'index']

export type InstalledScheme = {
  readonly folder: string
  /** false: no newer version was found */
  readonly isNew: boolean
  /** set if the server's version is older than the installed one: Unix seconds at which it was signed; it is never installed */
  readonly olderSec?: number
  /** one for each private key of a demo scheme that could not be downloaded */
  readonly warnings: readonly string[]
}

/** Installs a scheme from the address of its folder. The files are downloaded from the address in its description.
 *  @param parent folder of schemes
 *  @param pinnedKey PEM; null: the key at the address is trusted on first use
 *  @throws {SchemeError} @throws {Error} of `fetchFile`; no files remain after an error */
export async function downloadScheme(
  parent: string,
  { address, pinnedKey }: { readonly address: string; readonly pinnedKey: string | null },
  fetchFile: FetchFile,
): Promise<InstalledScheme> {
  const given = withoutEnd(address)
  const { id, url } = await fetchDescription(given, fetchFile)
  const folder = join(parent, id)
  refuseTwin(parent, id)
  const pem = pinnedKey === null ? await fetchFile(`${given}/pk.pem`, LIMITS.xml) : Buffer.from(pinnedKey)
  const remote = await fetchIndex(url, parseSchemeKey(`${given}/pk.pem`, pem), fetchFile)
  if (remote.schemeId !== id)
    throw new SchemeError(`${url}/index`, `expected scheme "${id}" as in ${given}, got "${remote.schemeId}"`)
  return inTemporary(parent, id, async copy => {
    mkdirSync(copy)
    writeFileSync(join(copy, 'pk.pem'), pem)
    await fetchInto(copy, { url, remote, present: new Set() }, fetchFile)
    const { warnings } = await complete(copy, { folder, url, operatorKeys: null }, fetchFile)
    moveInto(copy, folder)
    return { folder, isNew: true, warnings }
  })
}

/** The folder may exist without a scheme, such as one in which an operator has put private keys. Its files stay if the scheme has none of their names, and
 *  private keys always. The files that make a scheme of the folder come last.
 *  @throws {Error} if the folder has a scheme by now */
function moveInto(copy: string, folder: string): void {
  try {
    renameSync(copy, folder)
  } catch (error) {
    if (!existsSync(folder) || SCHEME_FILES.some(name => existsSync(join(folder, name)))) throw error
    const isKey = (path: string): boolean => basename(dirname(path)) === 'PrivateKeys'
    const isLate = (path: string): boolean => SCHEME_FILES.includes(relative(copy, path))
    const isPlaced = (path: string): boolean => isKey(path) && existsSync(join(folder, relative(copy, path)))
    cpSync(copy, folder, { recursive: true, filter: path => !isLate(path) && !isPlaced(path) })
    for (const name of SCHEME_FILES) cpSync(join(copy, name), join(folder, name))
  }
}

export type UpdateOptions = {
  readonly nowMs: number
  /** folder with the operator's own private keys, which must fit the new version */
  readonly operatorKeys?: string | null
  /** Checks the new version before it replaces the old one. @throws {SchemeError} to refuse it */
  readonly approve?: (content: SchemeContent) => Promise<void>
}

/** Updates an installed scheme if its server has a newer version. The public key of the installation stays the trust anchor.
 *  @throws {SchemeError} @throws {PlaceLostError} @throws {Error} of `fetchFile`; the scheme is unchanged after an error */
export async function updateScheme(
  path: string,
  fetchFile: FetchFile,
  { nowMs, operatorKeys = null, approve }: UpdateOptions,
): Promise<InstalledScheme> {
  const folder = placed(path)
  tidy(folder, nowMs)
  const files = readSignedFiles(folder)
  const now = buildScheme(files)
  const url = withoutEnd(now.url)
  const keyFile = join(folder, 'pk.pem')
  const key = parseSchemeKey(keyFile, readLimited(keyFile, LIMITS.xml))
  const remote = await fetchIndex(url, key, fetchFile)
  if (remote.schemeId !== now.id)
    throw new SchemeError(`${url}/index`, `expected scheme "${now.id}", got "${remote.schemeId}"`)
  if (remote.timestampSec === now.timestampSec) return { folder, isNew: false, warnings: [] }
  if (remote.timestampSec < now.timestampSec)
    return { folder, isNew: false, olderSec: remote.timestampSec, warnings: [] }
  return inTemporary(dirname(folder), basename(folder), async copy => {
    const present = copyKept(folder, copy, remote)
    await fetchInto(copy, { url, remote, present }, fetchFile)
    const { warnings, content } = await complete(copy, { folder, url, operatorKeys }, fetchFile)
    await approve?.(content)
    takePlace({ copy, folder, replaced: files.index, nowMs })
    return { folder, isNew: true, warnings }
  })
}

/** Completes interrupted updates, and removes their temporary folders and versions that no session needs. */
function tidy(folder: string, nowMs: number): void {
  finishInterrupted(folder, nowMs)
  dropKept(folder, nowMs)
  removeAbandoned(dirname(folder), nowMs)
}

function withoutEnd(address: string): string {
  return address.replace(/\/description\.(xml|json)$/, '').replace(/\/$/, '')
}

async function fetchDescription(address: string, fetchFile: FetchFile): Promise<SchemeDescription> {
  const file = `${address}/description.xml`
  const content = await fetchFile(file, LIMITS.xml)
  const description = inFile(file, () => readScheme(parseXml(content)))
  return { ...description, url: withoutEnd(description.url) }
}

function refuseTwin(parent: string, id: string): void {
  const names = readdirSync(parent).filter(name => existsSync(join(parent, name, 'description.xml')))
  for (const name of [...names, oldFolderOf(id)]) {
    const index = join(parent, name, 'index')
    const isTwin = name === id || (existsSync(index) && idIn(index) === id)
    if (isTwin) throw new SchemeError(join(parent, name), `scheme "${id}" is already there`)
  }
}

function idIn(index: string): string {
  return parseIndex(index, readLimited(index, LIMITS.index).toString('utf8')).schemeId
}

async function inTemporary<T>(parent: string, name: string, make: (copy: string) => Promise<T>): Promise<T> {
  const temporary = temporaryIn(parent)
  try {
    return await make(join(temporary, name))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Part of the folder name, because processes of two machines or containers may have the same number. */
const HOST = hostname().replace(/[^A-Za-z0-9]/g, '_')

function temporaryIn(parent: string): string {
  try {
    return mkdtempSync(join(parent, `.tempscheme-${HOST}-${process.pid}-`))
  } catch (error) {
    throw fileFailure(parent, 'a folder that can be written', error)
  }
}

/** Removes folders of processes that ended, because they hold copies of private keys. */
function removeAbandoned(parent: string, nowMs: number): void {
  for (const name of readdirSync(parent)) {
    const [, host, pid] = /^\.tempscheme-(\w+)-([0-9]+)-/.exec(name) ?? []
    if (pid === undefined) continue
    const path = join(parent, name)
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs
    const isGone = host === HOST && !isAlive(Number(pid))
    if (isGone || nowMs - madeAt > ABANDONED_MS) rmSync(path, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Copies the unsigned files (pk.pem, private keys, files of the operator), and the signed files whose hash is unchanged.
 *  @returns the paths of the unchanged signed files */
function copyKept(folder: string, copy: string, remote: RemoteIndex): ReadonlySet<string> {
  const file = join(folder, 'index')
  const old = parseIndex(file, readLimited(file, LIMITS.index).toString('utf8')).hashes
  const isSame = (path: string): boolean => old.get(path) === remote.hashes.get(path)
  const filter = (source: string): boolean => {
    const path = relative(folder, source).split(sep).join('/')
    return !old.has(path) || isSame(path)
  }
  cpSync(folder, copy, { recursive: true, dereference: true, filter }) // links are replaced by copies, so that no write goes through a link
  return new Set([...old.keys()].filter(isSame))
}

type SchemeLocation = { readonly folder: string; readonly url: string; readonly operatorKeys: string | null }

/** @throws {SchemeError} unless the copy is a valid scheme */
async function complete(
  copy: string,
  { folder, url, operatorKeys }: SchemeLocation,
  fetchFile: FetchFile,
): Promise<{ readonly warnings: readonly string[]; readonly content: SchemeContent }> {
  try {
    const scheme = buildScheme(readSignedFiles(copy))
    const warnings = scheme.isDemo ? await addDemoKeys(copy, { scheme, url }, fetchFile) : []
    return { warnings, content: await readContent(copy, folder, operatorKeys) }
  } catch (error) {
    if (error instanceof SchemeError) throw new SchemeError(error.file.replace(copy, url), error.reason)
    throw error
  }
}
