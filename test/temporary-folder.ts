/** A folder of its own for each test, gone with the process. @module */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
