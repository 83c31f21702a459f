/** Runs test files in a copy of the program, in a separate process, until one test fails. A process that stalls counts as a failure, and so does one that
 *  does not end: a full test run fails in both cases too. @module */
import { type ChildProcess, fork } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENCE_MS, STALL_MS } from '../patience.ts'
import type { Heard } from './test-process.ts'

export type Limits = {
  /** The longest time until the first or next test ends: in the first attempt, and when everything is tried again. */
  readonly stallsMs: readonly number[]
  /** The longest time between the last test and the end of the process. */
  readonly endMs: number
  /** The longest wait of a test for one event. */
  readonly patienceSec: number
}
/** Shorter limits, because mutants often hang, and are found sooner this way. */
const OF_MUTANTS: Limits = { stallsMs: [20_000, 60_000], endMs: 60_000, patienceSec: 15 }
/** The program without a mutant gets the full time. */
export const OF_HEALTHY: Limits = {
  stallsMs: [STALL_MS],
  endMs: PATIENCE_MS,
  patienceSec: PATIENCE_MS / 1_000,
}
/** A browser of the tests has a separate process group, and ends a moment after them. */
const STILL_WRITTEN = { maxRetries: 10, retryDelay: 200 }
const STALLED = 'no test ended for a while'

/** null if every test passed; else the first failure. */
export type FirstFailure = string | null

/** @param copy the folder of the built program
 *  @param files built test files, below `test/` of it */
export async function runTests(
  copy: string,
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
  limits = OF_MUTANTS,
): Promise<FirstFailure> {
  const [stallMs = 0, ...later] = limits.stallsMs
  const failure = await runOnce(copy, files, env, { ...limits, stallsMs: [stallMs] })
  return failure === STALLED && later.length > 0
    ? runTests(copy, files, env, { ...limits, stallsMs: later })
    : failure
}

async function runOnce(
  copy: string,
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  limits: Limits,
): Promise<FirstFailure> {
  const temporary = mkdtempSync(join(tmpdir(), 'mutants-'))
  chmodSync(temporary, 0o711) // PostgreSQL refuses root, and has its folder in there as another user
  const child = fork(join(copy, 'test/mutants/test-process.js'), files, {
    env: { ...process.env, PATIENCE_SEC: `${limits.patienceSec}`, ...env, TMPDIR: temporary },
    silent: true,
    detached: true, // a separate group, so that everything that the tests have started ends with it
  })
  try {
    return await firstFailure(child, limits)
  } finally {
    endGroup(child)
    await rm(temporary, { recursive: true, force: true, ...STILL_WRITTEN })
  }
}

function firstFailure(child: ChildProcess, { stallsMs, endMs }: Limits): Promise<FirstFailure> {
  const [stallMs = 0] = stallsMs
  return new Promise((resolve, reject) => {
    const endsAs = (failure: string, ms: number): NodeJS.Timeout => setTimeout(() => resolve(failure), ms)
    let hasPassed = false
    let timer = endsAs(STALLED, stallMs)
    child.stdout?.resume()
    child.stderr?.resume()
    child.on('error', reject)
    child.on('message', message => {
      const heard = message as Heard // the child runs test-process.ts
      clearTimeout(timer)
      if (heard.type === 'failed') return resolve(heard.test)
      hasPassed = heard.type === 'passed'
      timer = hasPassed ? endsAs('the process did not end after its tests', endMs) : endsAs(STALLED, stallMs)
      if (hasPassed) child.disconnect() // the child waits for this, so that all its messages arrive
    })
    child.on('exit', () => {
      clearTimeout(timer)
      resolve(hasPassed ? null : 'the process ended before its tests')
    })
  })
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error // ESRCH: all have ended
  }
}
