/** Identifiers in flags and arguments. @module */
import { MalformedInputError } from '../../protocol/errors.ts'

/** @param name of the flag or argument with the identifier
 *  @throws {Error} that begins with this name */
export function idOf<Id>(name: string, text: string, parse: (text: string) => Id): Id {
  try {
    return parse(text)
  } catch (cause) {
    if (!(cause instanceof MalformedInputError)) throw cause
    throw new Error(`${name}: ${cause.message}`, { cause })
  }
}
