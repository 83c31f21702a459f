/** The only place where tests wait in real time. A wait ends with its event. Its limit turns a hang into a failure, and no healthy run reaches
 *  it, even on a slow machine. `test/architecture/patience.test.ts` keeps other limits out of the tests. @module */
import { setTimeout as timer } from 'node:timers/promises'
import { numberGiven } from './number-given.ts'

/** The longest wait for one event; every such event takes seconds here. Runs of mutants use less, because most mutants hang. */
export const PATIENCE_MS = 1_000 * numberGiven('PATIENCE_SEC', 600)

/** The longest time in which a run of tests may complete no test. It is longer than any wait of one test. */
export const STALL_MS = 2 * PATIENCE_MS

const LOOK_MS = 20

/** Waits in real time. No outcome may depend on the duration: a test that waits for an event uses `until` or `inTime`. */
export async function pause(ms: number): Promise<void> {
  await timer(ms)
}

/** Waits until the condition holds.
 *  @param what end of the message "expected ..."
 *  @param rest the pause between two checks
 *  @throws {Error} if it never holds */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  rest: () => Promise<void> = () => pause(LOOK_MS),
): Promise<void> {
  for (const startedAt = performance.now(); !(await isSo()); await rest())
    if (performance.now() - startedAt > PATIENCE_MS) throw tooLate(what)
}

/** As `until`, and blocks the thread: at the end of a process no promise settles.
 *  @throws {Error} if the condition never holds */
export function blockUntil(isSo: () => boolean, what: string): void {
  const look = new Int32Array(new SharedArrayBuffer(4))
  for (const startedAt = performance.now(); !isSo(); Atomics.wait(look, 0, 0, LOOK_MS))
    if (performance.now() - startedAt > PATIENCE_MS) throw tooLate(what)
}

/** @returns the value as soon as `find` returns one */
export async function untilThere<Found>(
  find: () => Promise<Found | null>,
  what: string,
  rest?: () => Promise<void>,
): Promise<Found> {
  let found: Found | null = null
  const isThere = async (): Promise<boolean> => {
    found = await find()
    return found !== null
  }
  await until(isThere, what, rest)
  if (found === null) throw tooLate(what)
  return found
}

/** @returns the result of the promise
 *  @throws {Error} if it never settles */
export async function inTime<Result>(promise: Promise<Result>, what: string): Promise<Result> {
  const over = new AbortController()
  const late = timer(PATIENCE_MS, null, over).then(() => {
    throw tooLate(what)
  })
  return Promise.race([promise, late]).finally(() => over.abort())
}

function tooLate(what: string): Error {
  return new Error(`expected ${what} within ${PATIENCE_MS / 1_000} s, got nothing`)
}
