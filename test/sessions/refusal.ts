/** Assertions about remote errors. @module */
import * as assert from 'uvu/assert'
import { RemoteError } from '../../protocol/errors.ts'

/** The remote error of an attempt.
 *  @throws if there is none, or another error */
export async function refusal(attempt: () => unknown): Promise<RemoteError> {
  try {
    await attempt()
  } catch (error) {
    if (error instanceof RemoteError) return error
    throw error
  }
  throw new Error('expected a remote error, got none')
}

/** @param message its whole text, or a pattern for it */
export async function refusedWith(
  attempt: () => unknown,
  Kind: new (message?: string) => RemoteError,
  message: string | RegExp = /^/,
): Promise<void> {
  const error = await refusal(attempt)
  assert.instance(error, Kind)
  if (typeof message === 'string') assert.is(error.message, message)
  else assert.match(error.message, message)
}
