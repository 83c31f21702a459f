/** Tests of stores that wait for what another connection causes. @module */
import * as assert from 'uvu/assert'
import * as patience from '../patience.ts'

export async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

/** Until it is so, which takes a moment between two connections. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await patience.until(isSo, 'the effect of another connection')
}

const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

/** No connection is left idle in a pool: its timer would end it after 10 s, and hide that nothing else did. */
export async function leavesNothingIdle<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = timers()
  const result = await work()
  assert.ok(timers() <= before, 'a connection is idle')
  return result
}
