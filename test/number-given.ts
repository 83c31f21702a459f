/** Numbers from environment variables for runs of a single test. A mistyped number fails the test, which would otherwise play nothing and pass. @module */
import { randomInt } from 'node:crypto'
import { wholeNumber } from './program.ts'

/** @param name of the environment variable
 *  @param usual value if it is not set
 *  @throws {WrongOptionError} */
export function numberGiven(name: string, usual: number, least: 0 | 1 = 1): number {
  const text = process.env[name]
  return text === undefined ? usual : wholeNumber(name, text, least)
}

/** @param name of the environment variable
 *  @returns its number; without it a random one below `end`, the same one in all processes of a run
 *  @throws {WrongOptionError} */
export function seedGiven(name: string, end: number): number {
  return numberGiven(name, numberGiven('RUN_SEED', randomInt(end), 0) % end, 0)
}
