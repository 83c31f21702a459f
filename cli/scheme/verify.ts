/** Verifies one scheme, or all in a folder (spec/schemes-and-cli#16.6). @module */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createSystemClock } from '../../ports/clock.ts'
import { findSchemes, loadSchemes } from '../../schemes/load.ts'
import { verifyScheme } from '../../schemes/verify.ts'
import { isFolder } from '../../server/files/paths.ts'

/** @throws {Error} with a message for an operator */
export async function verify(path: string): Promise<void> {
  try {
    await verifyAll(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Verification failed: ${reason}`, { cause: error })
  }
  process.stdout.write('\nVerification was successful.\n')
}

export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stdout.write(`Warning: ${warning}\n`)
}

async function verifyAll(path: string): Promise<void> {
  if (!isFolder(path))
    throw new Error(
      `PATH: expected the folder of a scheme or of schemes, but there is no folder ${JSON.stringify(path)}; name another`,
    )
  const nowSec = Math.floor(createSystemClock().wallNow() / 1_000)
  if (existsSync(join(path, 'description.xml'))) {
    process.stdout.write('Verifying scheme\n')
    return printWarnings(await verifyScheme(path, nowSec))
  }
  const { folders, ignored } = await findSchemes(path)
  if (folders.length === 0)
    throw new Error('path must contain a scheme, or multiple schemes in subdirectories')
  process.stdout.write('Verifying as configuration directory\n')
  await loadSchemes(path) // also finds two schemes of one name
  printWarnings(ignored.map(({ folder, reason }) => `Ignored folder: ${folder} (${reason})`))
  for (const folder of folders) printWarnings(await verifyScheme(folder, nowSec))
}
