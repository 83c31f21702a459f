/** Where the project's own data is, whether the tests run from `dist/` or unbuilt; and what to do when a test cannot run. @module */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder))
}

/** The folder that holds package.json. */
export const PROJECT = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Both demo schemes. */
export const DEMO_SCHEMES = join(PROJECT, 'demo/schemes')

/** A recorded file below test/vectors; the caller says what shape it expects. */
export function readVector(name: string): unknown {
  return JSON.parse(readFileSync(join(PROJECT, 'test/vectors', name), 'utf8'))
}

const missing = new Set<string>()

/** @returns what tests of this process were skipped for the lack of */
export function missingHere(): readonly string[] {
  return [...missing]
}

/** For a test that needs something the machine may not have: under CI it must be there.
 *  @returns true if the test is to be skipped
 *  @throws if it is missing under CI */
export function isMissing(what: string, found: boolean): boolean {
  if (found) return false
  if (process.env.CI === 'true') throw new Error(`${what} is missing, and CI must not skip a test`)
  missing.add(what)
  return true
}
