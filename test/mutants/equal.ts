/** Which mutants no test can tell from the program, by the list in equal-mutants.ts. @module */
import { EQUAL, type Equal } from './equal-mutants.ts'

/** @returns the line that says why no test can find the mutant, or null */
export function equalLine(name: string, lines: readonly Equal[] = EQUAL): Equal | null {
  return lines.find(({ names }) => names.test(name)) ?? null
}

/** The lines that fit no mutant of the program, and of lines with alternatives those whose alternative fits none. */
export function linesWithoutMutant(
  all: readonly string[],
  lines: readonly Equal[] = EQUAL,
): readonly string[] {
  return lines
    .flatMap(alternativesOf)
    .filter(names => !all.some(name => names.test(name)))
    .map(String)
}

/** The line with each alternative of each of its groups alone. */
function alternativesOf({ names }: Equal): readonly RegExp[] {
  const { source } = names
  const groups = [...source.matchAll(/\(\?:((?:\\.|[^\\()])*)\)/g)]
  if (groups.length === 0) return [names]
  return groups.flatMap(({ 0: { length }, 1: inside = '', index }) =>
    inside
      .split(/(?<!\\)\|/)
      .map(one => new RegExp(`${source.slice(0, index)}${one}${source.slice(index + length)}`)),
  )
}
