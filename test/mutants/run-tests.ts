/** Runs test files in a copy of the program, in a process of their own, until one test fails. A process that stands still counts as a failure, and so does one that
 *  does not end: a full test run fails of both, too. @module */
import { type ChildProcess, fork } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Heard } from './test-process.ts'

/** The longest time between two tests that are over, the first one included, and the longest time to end after them. */
const STALL_MS = [20_000, 60_000] // again, with more patience: the machine may have had much else to do
/** A browser of the tests has a group of its own, and ends a moment after them. */
const STILL_WRITTEN = { maxRetries: 10, retryDelay: 200 }
const STALLED = 'no test was over for a while'

/** null: every test passed; else what failed first. */
export type FirstFailure = string | null

/** @param copy the folder of the built program
 *  @param files built test files, below `test/` of it */
export async function runTests(
  copy: string,
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
  [stallMs = 0, ...later]: readonly number[] = STALL_MS,
): Promise<FirstFailure> {
  const failure = await runOnce(copy, files, env, stallMs)
  return failure === STALLED && later.length > 0 ? runTests(copy, files, env, later) : failure
}

async function runOnce(
  copy: string,
  files: readonly string[],
  env: Readonly<Record<string, string>>,
  stallMs: number,
): Promise<FirstFailure> {
  const temporary = mkdtempSync(join(tmpdir(), 'mutants-'))
  chmodSync(temporary, 0o711) // PostgreSQL, which refuses root, has its folder in there as another user
  const child = fork(join(copy, 'test/mutants/test-process.js'), files, {
    env: { ...process.env, ...env, TMPDIR: temporary },
    silent: true,
    detached: true, // a group of its own, so that whatever the tests have started ends with it
  })
  try {
    return await firstFailure(child, stallMs)
  } finally {
    endGroup(child)
    await rm(temporary, { recursive: true, force: true, ...STILL_WRITTEN })
  }
}

function firstFailure(child: ChildProcess, stallMs: number): Promise<FirstFailure> {
  return new Promise((resolve, reject) => {
    const stallsAs = (failure: string): NodeJS.Timeout => setTimeout(() => resolve(failure), stallMs)
    let hasPassed = false
    let timer = stallsAs(STALLED)
    child.stdout?.resume()
    child.stderr?.resume()
    child.on('error', reject)
    child.on('message', message => {
      const heard = message as Heard // the child runs test-process.ts
      clearTimeout(timer)
      if (heard.type === 'failed') return resolve(heard.test)
      hasPassed = heard.type === 'passed'
      timer = stallsAs(hasPassed ? 'the process did not end after its tests' : STALLED)
      if (hasPassed) child.disconnect() // it waits for this, so that it has been heard before it ends
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
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error // all have ended
  }
}
