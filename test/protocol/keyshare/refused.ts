/** Assertions about refused bodies. @module */
import * as assert from 'uvu/assert'
import { InvalidRequestError } from '../../../protocol/errors.ts'

/** The refusal of an attempt: 400 INVALID_REQUEST.
 *  @throws if the call succeeds, or fails with another error */
export function refused(attempt: () => unknown, message: RegExp = /./): InvalidRequestError {
  try {
    attempt()
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    assert.match(error.message, message)
    return error
  }
  throw new Error('expected a refusal, got none')
}
