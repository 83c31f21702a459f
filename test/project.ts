/** The place of the project's own data, for tests that run from `dist/` or unbuilt, and the handling of a test that cannot run. @module */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

/** The folder of package.json. */
export const PROJECT = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Both demo schemes. */
export const DEMO_SCHEMES = join(PROJECT, 'demo/schemes')

/** A recorded file below test/vectors; the caller states its shape. */
export function readVector(name: string): unknown {
  return JSON.parse(readFileSync(join(PROJECT, 'test/vectors', name), 'utf8'))
}

const missing = new Set<string>()

/** @returns the missing tools for which tests of this process were skipped */
export function missingHere(): readonly string[] {
  return [...missing]
}

/** For a test that needs a tool which the machine may lack: under CI it must exist.
 *  @returns true if the test must be skipped
 *  @throws if it is missing under CI */
export function isMissing(what: string, found: boolean): boolean {
  if (found) return false
  if (process.env.CI === 'true') throw new Error(`${what} is missing, and CI must not skip a test`)
  missing.add(what)
  return true
}
