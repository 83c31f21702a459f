/** Checks of the paths that options and arguments name, and the messages when the system refuses one. @module */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** False also for a path below a file, and for one that this user may not read. `existsSync` comes first: if an operator gives a secret in place of a path, the error
 *  of `statSync` would quote the secret. */
export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

/** False also for a path below a file, and for one that this user may not read. */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

type Refused = {
  /** option or argument that named the path */
  readonly what: string
  /** with its article */
  readonly expected: string
  readonly path: string
  readonly remedy?: string
}

/** @param error of the file system; only its code is in the message */
export function pathFailure({ what, expected, path, remedy }: Refused, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  const rest = remedy === undefined ? '' : `; ${remedy}`
  return new Error(`${what}: expected ${expected}, got ${path || 'an empty name'}${code}${rest}`, {
    cause: error,
  })
}

/** Makes the folder and the missing ones above it, for this user alone.
 *  @param what the option or argument that named it
 *  @throws {Error} in words for the person who named it */
export function makeFolder(what: string, path: string, mode = 0o700): void {
  try {
    makeWithParents(path, mode)
  } catch (error) {
    const expected = 'a folder, or a path at which one can be made'
    throw pathFailure({ what, expected, path, remedy: 'choose another' }, error)
  }
}

/** Makes one folder after the other. With `recursive`, `mkdirSync` never returns at some paths where the system allows no folder. */
function makeWithParents(path: string, mode: number): void {
  if (isFolder(path)) return
  if (dirname(path) !== path) makeWithParents(dirname(path), mode)
  mkdirSync(path, { mode })
}
