/** Settings files: JSON, YAML or TOML by the ending of the name; names keep their case, and the file that was named is the one that is
 *  read. Without a name the usual places are searched, and no file is fine. @module */
import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { SettingsError } from './errors.ts'

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  '.json': text => JSON.parse(text),
  '.toml': text => parseToml(text),
  '.yaml': text => parseYaml(text),
  '.yml': text => parseYaml(text),
}
const BASE_NAME = 'svcserver'

export type SettingsFile = { readonly name: string; readonly values: Readonly<Record<string, unknown>> }

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** The first of `svcserver.json`, `.toml`, `.yaml`, `.yml` in the first directory that has one. */
function findFile(directories: readonly string[]): string | undefined {
  const names = directories.flatMap(directory =>
    Object.keys(READERS).map(ending => join(directory, BASE_NAME + ending)),
  )
  return names.find(isFile)
}

/** @param named file that was asked for; undefined: look in `directories`
 *  @throws {SettingsError} if the named file is missing, or a file does not parse */
export function readSettingsFile(
  named: string | undefined,
  directories: readonly string[],
): SettingsFile | undefined {
  const name = named ?? findFile(directories)
  if (name === undefined) return undefined
  if (!isFile(name)) throw new SettingsError(`settings file: expected an existing file, got ${name}`)
  const read = READERS[extname(name)]
  if (!read)
    throw new SettingsError(`settings file: expected ${Object.keys(READERS).join(', ')}, got ${name}`)
  const values = parse(name, read)
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new SettingsError(`settings file ${name}: expected options by name, got another value`)
  return { name, values: { ...values } }
}

/** The reader's own message may quote a line of the file, and with it a secret: only the place is repeated. */
function parse(name: string, read: (text: string) => unknown): unknown {
  try {
    return read(readFileSync(name, 'utf8')) ?? {}
  } catch (error) {
    throw new SettingsError(
      `settings file ${name}: it does not parse as ${extname(name).slice(1)}${placeOf(error)}`,
    )
  }
}

function placeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('line' in error && typeof error.line === 'number') return `, line ${error.line}`
  if (!('linePos' in error) || !Array.isArray(error.linePos)) return ''
  return `, line ${error.linePos[0]?.line}`
}
