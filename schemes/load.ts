/** Loads a folder of schemes (spec/schemes-and-cli#2, #9), all of them or none. The signed index of a scheme decides which of its files are read; keys
 *  are read without it. @module */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buildScheme } from './build-scheme.ts'
import { placeOf, RESERVED } from './names.ts'
import { readKeyRing, readKeysOf } from './private-keys.ts'
import { fileFailure, SchemeError } from './scheme-error.ts'
import { placed, unmoved } from './seats.ts'
import { readSignedFiles } from './signed-files.ts'
import { snapshot } from './snapshot.ts'
import type { IgnoredFolder, Scheme, SchemeContent, Schemes } from './types.ts'

export type LoadOptions = {
  /** folder with the operator's own private keys, `<scheme>.<issuer>[.<counter>].xml` */
  readonly privateKeys?: string | null
}

/** @param path folder with one folder per scheme
 *  @throws {SchemeError} with the file and the reason, if a scheme or a private key is broken, or if there is no scheme
 *  @example
 *  const schemes = await loadSchemes('/etc/svc/schemes') */
export async function loadSchemes(path: string, options: LoadOptions = {}): Promise<Schemes> {
  if (await exists(join(path, 'index'), 'file'))
    throw new SchemeError(path, 'expected a folder of scheme folders, got a scheme: give the folder above')
  return unmoved(path, () => loadAll(path, options))
}

async function loadAll(path: string, { privateKeys = null }: LoadOptions): Promise<Schemes> {
  const { folders, ignored } = await findSchemes(path)
  if (folders.length === 0)
    throw new SchemeError(path, 'expected a folder of scheme folders, found no scheme')
  const schemes = new Map<string, Scheme>()
  for (const folder of folders) {
    schemes.set(folder, readSchemeIn(folder, [...schemes.values()]))
  }
  const ring = await readKeyRing(schemes, privateKeys)
  const contents = [...schemes].map(([folder, scheme]) => ({
    folder: placed(folder),
    scheme,
    privateKeys: new Map([...ring].filter(([issuer]) => scheme.issuers.has(issuer))),
  }))
  return snapshot(contents, ignored)
}

/** Reads one scheme.
 *  @param place the regular folder of the scheme, even if it is read from another one
 *  @param operatorKeys folder of the operator's own private keys
 *  @throws {SchemeError} */
export async function readContent(
  folder: string,
  place: string,
  operatorKeys: string | null,
): Promise<SchemeContent> {
  const scheme = readSchemeIn(folder, [])
  return { folder: place, scheme, privateKeys: await readKeysOf(folder, scheme, operatorKeys) }
}

/** @param others schemes that were read before
 *  @throws {SchemeError} also if one of them has the same id */
export function readSchemeIn(folder: string, others: readonly Scheme[]): Scheme {
  const scheme = buildScheme(readSignedFiles(folder))
  if (others.some(({ id }) => id === scheme.id))
    throw new SchemeError(folder, `scheme "${scheme.id}" is in another folder too`)
  return scheme
}

/** Folders of issuer schemes, and the folders that are ignored. @throws {SchemeError} */
export async function findSchemes(path: string): Promise<{ folders: string[]; ignored: IgnoredFolder[] }> {
  const names = await readdir(path).catch((error: unknown) => {
    throw fileFailure(path, 'a folder that can be read', error)
  })
  const folders: string[] = []
  const ignored: IgnoredFolder[] = []
  for (const name of names.sort()) {
    const folder = join(path, name)
    const place = placeOf(name)
    const isInstead = place !== null && !names.includes(place) // an update was interrupted
    if ((name.startsWith('.') && !isInstead) || !(await exists(folder, 'folder'))) continue
    const reason = RESERVED.test(name) && !isInstead ? 'left behind by an update' : await whyNoScheme(folder)
    if (reason === null) folders.push(folder)
    else ignored.push({ folder, reason })
  }
  return { folders, ignored }
}

async function whyNoScheme(folder: string): Promise<string | null> {
  if (await exists(join(folder, 'description.xml'), 'file')) return null
  if (await exists(join(folder, 'description.json'), 'file')) return 'a requestor scheme'
  return (await exists(join(folder, 'index'), 'file')) ? null : 'neither description.xml nor index'
}

async function exists(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  try {
    const facts = await stat(path)
    return kind === 'file' ? facts.isFile() : facts.isDirectory()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return false
    throw fileFailure(path, `a ${kind} that can be read`, error)
  }
}
