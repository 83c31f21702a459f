/** Tests of stores that wait for what another connection causes. @module */
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'

export async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('no failure'),
    (error: Error) => error,
  )
}

/** Until it is so, which takes a moment between two connections. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 1_500; looks++) {
    if (await isSo()) return
    await pause(10)
  }
  assert.unreachable('expected what another connection causes, got nothing')
}
