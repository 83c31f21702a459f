/** Helpers for tests of stores that wait for the effect of another connection. @module */
import * as assert from 'uvu/assert'
import * as patience from '../patience.ts'

export async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

/** Waits until the condition holds, which takes a moment between two connections. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await patience.until(isSo, 'the effect of another connection')
}

const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

/** Leaves no idle connection in a pool. Its timer would end it after 10 s, and hide that nothing else did. */
export async function leavesNothingIdle<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = timers()
  const result = await work()
  assert.ok(timers() <= before, 'a connection is idle')
  return result
}
