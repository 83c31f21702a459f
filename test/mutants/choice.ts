/** The mutants that a command selects. @module */
import { WrongOptionError } from '../program.ts'
import { equalLine } from './equal.ts'
import type { Mutant } from './mutant.ts'
import { shuffledBySeed } from './seed.ts'
import type { Tried } from './try-mutants.ts'

export type Choice = {
  readonly chart?: string | undefined
  readonly folder?: string | undefined
  readonly name?: string | undefined
  readonly count?: number | undefined
  readonly seed: number
  readonly survivors: boolean
  /** leaves out the mutants that are listed as equal, because they survive every test that reaches them */
  readonly unlisted: boolean
}

/** A choice without a mutant is an error, so that a wrong name does not look like a good score.
 *  @param before the results of the last run, by the names of the mutants */
export function chosenMutants(
  all: readonly Mutant[],
  before: ReadonlyMap<string, Tried>,
  { chart, folder, name, count, seed, survivors, unlisted }: Choice,
): readonly Mutant[] {
  const named = all
    .filter(({ group }) => chart === undefined || group === `${chart} chart`)
    .filter(({ file }) => folder === undefined || file.startsWith(folder))
    .filter(mutant => name === undefined || mutant.name.includes(name))
  if (named.length === 0)
    throw new WrongOptionError(
      'expected --chart, --folder and --name to fit a mutant, got none; --list alone lists all',
    )
  const chosen = named
    .filter(mutant => !survivors || before.get(mutant.name)?.killedBy === null)
    .filter(mutant => !unlisted || equalLine(mutant.name) === null)
  if (count === undefined) return chosen
  return shuffledBySeed(chosen, mutant => mutant.name, seed).slice(0, count)
}
