/** Writes key files. A new key never replaces an existing file, and a private key is readable only for its owner. @module */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { pathFailure } from '../server/files/paths.ts'

/** A file, and the flag that names it. */
type FileOfOption = { readonly file: string; readonly option: string }
type KeyFile = FileOfOption & { readonly content: string | Uint8Array }

const [PRIVATE, PUBLIC] = [0o600, 0o644]
const REMEDY_OF_FOLDER = 'see that its folder exists, and that this user may write there'

/** @returns why the file was not written */
export function writeNewPrivate(key: KeyFile): string | undefined {
  return writeNew(key, PRIVATE)
}

/** Writes both files or none.
 *  @returns why they were not written */
export function writeNewPair(privateKey: KeyFile, publicKey: KeyFile): string | undefined {
  const mistake = writeNewPrivate(privateKey)
  if (mistake) return mistake
  const second = writeNew(publicKey, PUBLIC)
  if (second) rmSync(privateKey.file)
  return second
}

/** Writes both new contents to temporary files before it replaces the first file.
 *  @throws {Error} with a message for an operator */
export function replaceFiles(privateKey: KeyFile, publicKey: KeyFile): void {
  const next = [
    { ...privateKey, mode: PRIVATE },
    { ...publicKey, mode: PUBLIC },
  ].map(key => ({ ...key, beside: `${key.file}.next` }))
  for (const { file, option, content, mode, beside } of next)
    replacing({ file, option }, () => {
      rmSync(beside, { force: true })
      writeFileSync(beside, content, { mode, flag: 'wx', flush: true })
    })
  for (const { file, option, beside } of next) replacing({ file, option }, () => renameSync(beside, file))
}

function replacing({ file, option }: FileOfOption, step: () => void): void {
  try {
    step()
  } catch (error) {
    const expected = `a file that can be replaced by way of ${file}.next`
    throw pathFailure({ what: option, expected, path: file, remedy: REMEDY_OF_FOLDER }, error)
  }
}

/** @returns the mistake, if a file already exists in this place */
export function mistakeIfThere({ file, option }: FileOfOption): string | undefined {
  return existsSync(file) ? isThere(file, option) : undefined
}

function isThere(file: string, option: string): string {
  return `${file}: expected a new file, but it exists; choose another with ${option}`
}

function writeNew({ file, option, content }: KeyFile, mode: number): string | undefined {
  try {
    writeFileSync(file, content, { mode, flag: 'wx', flush: true })
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'EEXIST') return isThere(file, option)
    return pathFailure(
      { what: option, expected: 'a file that can be written', path: file, remedy: REMEDY_OF_FOLDER },
      error,
    ).message
  }
}
