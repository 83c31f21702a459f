/** Compares the output of a command on a page with its real output. @module */

/** matches any text within its line */
const ANYTHING = '…'

/** The expected lines must appear in their order; other lines may be between them.
 *  @returns missing: null, or the first missing line; end: the end of the last line that appeared */
export function differenceOf(expected: string, output: string): { missing: string | null; end: number } {
  let end = 0
  for (const line of expected.split('\n').filter(text => text.trim() !== '')) {
    const found = lineLike(line).exec(output.slice(end))
    if (!found) return { missing: line, end }
    end += found.index + found[0].length
  }
  return { missing: null, end }
}

/** Matches only a complete line: an incomplete one could still change. */
function lineLike(expected: string): RegExp {
  const parts = expected.trimEnd().split(ANYTHING)
  const escaped = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}[ \\t\\r]*\\n`, 'm')
}
