/** A separate folder for each test, removed when the process ends. @module */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  folders.push(folder)
  return folder
}

/** The path of a store that does not exist yet, alone in its folder. */
export function newStoreFile(): string {
  return join(temporaryFolder(), 's.db')
}
