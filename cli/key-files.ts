/** Files of keys: a new key takes the place of none, and only its owner reads a private one. @module */
import { renameSync, rmSync, writeFileSync } from 'node:fs'

type KeyFile = { readonly file: string; readonly content: string }

const [PRIVATE, PUBLIC] = [0o600, 0o644]

/** Both files or none.
 *  @returns why there is none */
export function writeNewPair(privateKey: KeyFile, publicKey: KeyFile): string | undefined {
  const mistake = writeNew(privateKey, PRIVATE)
  if (mistake) return mistake
  const second = writeNew(publicKey, PUBLIC)
  if (second) rmSync(privateKey.file)
  return second
}

/** Both have their new content beside them before the first one changes. */
export function replaceFiles(privateKey: KeyFile, publicKey: KeyFile): void {
  const next = [
    { ...privateKey, mode: PRIVATE },
    { ...publicKey, mode: PUBLIC },
  ].map(({ file, content, mode }) => {
    const beside = `${file}.next`
    rmSync(beside, { force: true })
    writeFileSync(beside, content, { mode, flag: 'wx', flush: true })
    return { file, beside }
  })
  for (const { file, beside } of next) renameSync(beside, file)
}

function writeNew({ file, content }: KeyFile, mode: number): string | undefined {
  try {
    writeFileSync(file, content, { mode, flag: 'wx', flush: true })
    return undefined
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return error.code === 'EEXIST'
      ? `${file}: expected a new file, but it exists`
      : `${file}: expected a file that can be written, got ${error.code}`
  }
}
