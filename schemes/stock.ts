/** Copies schemes from a read-only stock into the folder of schemes (spec/schemes-and-cli#9.2). They are installed and updated as from a web server, so
 *  that the installed key stays the trust anchor, and files of the operator stay. @module */
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { buildScheme } from './build-scheme.ts'
import { downloadScheme, type InstalledScheme, updateScheme } from './install.ts'
import { findSchemes } from './load.ts'
import type { FetchFile } from './remote.ts'
import { SchemeError } from './scheme-error.ts'
import { LIMITS, parseIndex, readLimited, readSignedFiles } from './signed-files.ts'
import { PlaceLostError } from './take-place.ts'

/** @param stock folder with a folder for each scheme
 *  @param parent folder of schemes
 *  @returns the folders that were written: of schemes that were missing or older
 *  @throws {SchemeError} if a scheme of the stock is broken, or signed with another key than the installed one */
export async function copyStock(stock: string, parent: string, nowMs: number): Promise<readonly string[]> {
  const { folders } = await findSchemes(stock)
  if (folders.length === 0)
    throw new SchemeError(stock, 'expected a folder of scheme folders, found no scheme')
  const written: string[] = []
  for (const folder of folders) {
    const { id, url } = buildScheme(readSignedFiles(folder))
    const address = url.replace(/\/$/, '')
    const fetchFile = filesOf(folder, address)
    const installed = await installedOf(id, parent)
    const { folder: target, isNew } = await unlessWritten(id, parent, installed === undefined, () =>
      installed === undefined
        ? downloadScheme(parent, { address: url, pinnedKey: null }, fetchFile)
        : updateScheme(installed, fetchFile, { nowMs }),
    ).catch(error => {
      throw error instanceof SchemeError ? inFolder(error, address, folder) : error
    })
    if (!isNew) continue
    addPrivateKeys(folder, target)
    written.push(target)
  }
  return written
}

/** @returns the folder of an installed scheme, whatever its name is */
async function installedOf(id: string, parent: string): Promise<string | undefined> {
  const { folders } = await findSchemes(parent)
  return folders.find(folder => {
    const file = join(folder, 'index')
    return (
      existsSync(file) && parseIndex(file, readLimited(file, LIMITS.index).toString('utf8')).schemeId === id
    )
  })
}

/** Several processes may start at once on one folder: the scheme of the first one stays.
 *  @param isMissing true: the scheme was missing before, so if it exists after a failure, another process has installed it */
async function unlessWritten(
  id: string,
  parent: string,
  isMissing: boolean,
  write: () => Promise<InstalledScheme>,
): Promise<InstalledScheme> {
  try {
    return await write()
  } catch (error) {
    const isRace = isMissing || error instanceof PlaceLostError
    const folder = isRace ? await installedOf(id, parent) : undefined
    if (folder === undefined) throw error
    return { folder, isNew: false, warnings: [] }
  }
}

/** The files were read from the folder, so the message names the folder and not the address of the scheme. */
function inFolder({ file, reason, cause }: SchemeError, address: string, folder: string): SchemeError {
  return new SchemeError(file.replace(address, folder), reason, { cause })
}

/** Reads the files of a folder in place of those at the address of its scheme. */
function filesOf(folder: string, url: string): FetchFile {
  return async (address, maxBytes) => {
    const path = address
      .slice(url.length + 1)
      .split('/')
      .map(decodeURIComponent)
      .join('/')
    return readLimited(join(folder, path), maxBytes)
  }
}

/** Adds the private keys of the stock that the target lacks. */
function addPrivateKeys(folder: string, target: string): void {
  const isKey = (path: string): boolean => basename(dirname(path)) === 'PrivateKeys' && path.endsWith('.xml')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isKey)
  for (const path of paths) cpSync(join(folder, path), join(target, path), { force: false })
}
