/** A request may be written for a scheme version that this server does not have yet. Then the schemes are updated, and the request is checked once
 *  more (spec/schemes-and-cli#11.6). @module */
import { NotInSchemesError } from './prepare-request.ts'

/** @param accept checks the request against the current schemes
 *  @param lookAgain updates the schemes; it may find no update
 *  @throws errors of `accept`, unchanged */
export async function acceptedByNewest<Accepted>(
  accept: () => Accepted,
  lookAgain: () => Promise<void>,
): Promise<Accepted> {
  try {
    return accept()
  } catch (error) {
    if (!isOfOtherVersion(error)) throw error
  }
  await lookAgain()
  return accept()
}

function isOfOtherVersion(error: unknown): boolean {
  return (
    error instanceof NotInSchemesError || (error instanceof Error && error.cause instanceof NotInSchemesError)
  )
}
