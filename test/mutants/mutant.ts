/** A mutant: one small change of the built program. Its name stays the same while the code around it changes. @module */

/** A change of a text, by positions in the original. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

export type Mutant = {
  /** the chart or folder to whose score it belongs */
  readonly group: string
  /** file, function and change */
  readonly name: string
  /** the built file, below `dist` */
  readonly file: string
  /** in the TypeScript source; null if it is at no line */
  readonly line: number | null
  readonly edits: readonly Edit[]
  /** the place of the changed expression in the built file, to find out which tests reach it; null if loading the file reaches it */
  readonly site: { readonly start: number; readonly end: number } | null
}

/** The text after the edits, which do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((before, { start, end, text: put }) => before.slice(0, start) + put + before.slice(end), text)
}

/** Adds a number to repeated names, in the order of the file. */
export function withUniqueNames(mutants: readonly Mutant[]): Mutant[] {
  const seen = new Map<string, number>()
  return mutants.map(mutant => {
    const times = (seen.get(mutant.name) ?? 0) + 1
    seen.set(mutant.name, times)
    return times === 1 ? mutant : { ...mutant, name: `${mutant.name} (${times})` }
  })
}
