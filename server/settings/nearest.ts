/** Finds the known name nearest to a misspelt one. @module */

/** The longest part of a name that is compared. */
const MAX_LETTERS = 80

/** @param known at least one name
 *  @returns the known name that takes the fewest changes of a letter; case counts for nothing */
export function nearestName(name: string, known: readonly string[]): string {
  const changesTo = (other: string): number => changes(comparable(name), comparable(other))
  return known.reduce((best, other) => (changesTo(other) < changesTo(best) ? other : best))
}

function comparable(name: string): string {
  return name.slice(0, MAX_LETTERS).toLowerCase()
}

/** How many letters must be put in, left out, replaced, or swapped with their neighbour, to make one name of the other. */
function changes(from: string, to: string): number {
  const rows: number[][] = []
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 0; i <= from.length; i++) {
    const row: number[] = []
    rows.push(row)
    for (let j = 0; j <= to.length; j++) {
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const ways = [
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1),
        ...(isSwapped ? [at(i - 2, j - 2) + 1] : []),
      ]
      row.push(i === 0 && j === 0 ? 0 : Math.min(...ways))
    }
  }
  return at(from.length, to.length)
}
