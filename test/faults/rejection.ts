/** Asserts that work fails. @module */
import * as assert from 'uvu/assert'

/** @returns `Name: message` of the error */
export async function rejection(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'not an error'
  }
  return assert.unreachable('expected an error') as never
}
