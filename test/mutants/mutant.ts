/** What a mutant is: one small change of the built program, by a name that stays the same while the code around it changes. @module */

/** A change of a text, by positions in the original. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

export type Mutant = {
  /** the chart, or the folder, whose score it belongs to */
  readonly group: string
  /** file, function and change */
  readonly name: string
  /** the built file, below `dist` */
  readonly file: string
  /** in the TypeScript source; null where no line is the place */
  readonly line: number | null
  readonly edits: readonly Edit[]
  /** where the changed expression stands in the built file, so that tests can be asked whether they reach it; null: whoever loads the file reaches it */
  readonly site: { readonly start: number; readonly end: number } | null
}

/** The text after the edits, which do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((before, { start, end, text: put }) => before.slice(0, start) + put + before.slice(end), text)
}

/** Names that occur more than once get a number, in the order of the file. */
export function withUniqueNames(mutants: readonly Mutant[]): Mutant[] {
  const seen = new Map<string, number>()
  return mutants.map(mutant => {
    const times = (seen.get(mutant.name) ?? 0) + 1
    seen.set(mutant.name, times)
    return times === 1 ? mutant : { ...mutant, name: `${mutant.name} (${times})` }
  })
}
