/** The mutants that no test can find, by the lists in equal/. It is an error if a line matches no mutant, or matches a mutant that a test finds. @module */
import { EQUAL_ACTORS } from './equal/actors.ts'
import { EQUAL_CHARTS } from './equal/charts.ts'
import { EQUAL_CRYPTO } from './equal/crypto.ts'
import { EQUAL_HTTP } from './equal/http.ts'
import type { Equal } from './equal/reasons.ts'
import { EQUAL_SESSIONS } from './equal/sessions.ts'

export const EQUAL: readonly Equal[] = [
  ...EQUAL_ACTORS,
  ...EQUAL_CHARTS,
  ...EQUAL_CRYPTO,
  ...EQUAL_HTTP,
  ...EQUAL_SESSIONS,
]

/** @returns the line with the reason why no test can find this mutant; null: no line fits */
export function equalLine(name: string, lines: readonly Equal[] = EQUAL): Equal | null {
  return lines.find(({ names }) => names.test(name)) ?? null
}

/** The patterns that match no mutant of the program. Each alternative in a pattern is checked separately. */
export function linesWithoutMutant(
  all: readonly string[],
  lines: readonly Equal[] = EQUAL,
): readonly string[] {
  return lines
    .flatMap(alternativesOf)
    .filter(names => !all.some(name => names.test(name)))
    .map(String)
}

/** One pattern for each alternative: the line with only that alternative in its group. */
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
