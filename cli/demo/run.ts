/** Runs the tour until it is told to stop. @module */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { createSystemClock } from '../../actors/clock.ts'
import { startDemo } from '../../demo/demo.ts'
import { DEMO_SCHEMES } from '../../demo/files.ts'
import { createLog } from '../log.ts'
import * as random from '../randomness.ts'
import { stopSignal } from '../stop-signal.ts'

/** @param keepIn folder of the phone's wallet; undefined: a new one that goes at the end */
export async function runDemo(port: number, keepIn: string | undefined, isVerbose: boolean): Promise<void> {
  if (keepIn !== undefined) requireFolder(keepIn)
  const log = createLog({ verbose: 0, quiet: false, log_json: false })
  if (!isVerbose) log.level = 'warn'
  const clock = createSystemClock()
  const stopped = stopSignal()
  const demo = await startDemo({
    port,
    schemesPath: DEMO_SCHEMES,
    log,
    clock,
    random,
    ...(keepIn !== undefined && { keepIn }),
  })
  process.stdout.write(`Open ${demo.address}\n`)
  await stopped
  await demo.close()
}

/** @throws {Error} in words for whoever named it */
function requireFolder(path: string): void {
  try {
    makeFolder(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new Error(
      `--keep: expected a folder, or a path at which one can be made, got ${path}${code}; choose another`,
      { cause: error },
    )
  }
}

/** One after the other: where the system has no place for a folder, making its parents with it never ends. */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}
