/** Mutants that no test can tell from the program, with the reason. A line that fits no mutant is an error, and so is one that fits a mutant which a test does find. @module */

type Equal = { readonly names: RegExp; readonly reason: string }

export const EQUAL: readonly Equal[] = []

/** @returns the line that says why no test can find the mutant, or null */
export function equalLine(name: string, lines: readonly Equal[] = EQUAL): Equal | null {
  return lines.find(({ names }) => names.test(name)) ?? null
}

/** The lines that fit no mutant of the program. */
export function linesWithoutMutant(
  all: readonly string[],
  lines: readonly Equal[] = EQUAL,
): readonly string[] {
  return lines.filter(({ names }) => !all.some(name => names.test(name))).map(({ names }) => String(names))
}
