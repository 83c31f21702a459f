/** A request may be written for a version of a scheme that this server does not have yet: then the schemes are brought up to date, and it is held against them once more
 *  (`spec/schemes-and-cli.md` 11.6). @module */
import { NotInSchemes } from './prepare-request.ts'

/** @param accept holds a request against the schemes as they are then
 *  @param lookAgain brings them up to date; it may be in vain
 *  @throws what `accept` throws */
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
  return error instanceof NotInSchemes || (error instanceof Error && error.cause instanceof NotInSchemes)
}
