/** What a page says that a command prints, against what it printed. @module */

/** stands for anything within its line */
const ANYTHING = '…'

/** The expected lines must come in their order; others may stand between them.
 *  @returns missing: null, or the first line that did not come; end: where the last line ends that came */
export function differenceOf(expected: string, output: string): { missing: string | null; end: number } {
  let end = 0
  for (const line of expected.split('\n').filter(text => text.trim() !== '')) {
    const found = lineLike(line).exec(output.slice(end))
    if (!found) return { missing: line, end }
    end += found.index + found[0].length
  }
  return { missing: null, end }
}

/** One that has ended: half a line could still become another. */
function lineLike(expected: string): RegExp {
  const parts = expected.trimEnd().split(ANYTHING)
  const escaped = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}[ \\t\\r]*\\n`, 'm')
}
