/** Numbers that whoever runs one test may set: one that is mistyped fails, and does not pass with nothing played. @module */
import { wholeNumber } from './program.ts'

/** @param name of the variable of the environment
 *  @param usual unless it is set
 *  @throws {WrongOption} */
export function numberGiven(name: string, usual: number, least: 0 | 1 = 1): number {
  const text = process.env[name]
  return text === undefined ? usual : wholeNumber(name, text, least)
}
