/** Shell globs, the patterns of host permissions (spec/session-server#6.6). The time to match is at most proportional to the product of both
 *  lengths, for all input of a requestor. @module */

type Token = 'star' | ((character: string) => boolean)

/** A piece of a pattern: `*`, `?`, a class, an escaped character, or any other character. */
const PIECE = /(\*)|(\?)|\[(\^?)((?:\\.|[^\\\]])+)\]|\\(.)|([^[\\])/sy
const RANGE = /\\?(.)(?:-\\?(.))?/gs

/** `*` matches any run of characters except `/`, `?` matches one of them, `[a-z]` and `[^a-z]` match one of a class; `\` escapes a character. A
 *  malformed pattern matches nothing. */
export function matchesGlob(text: string, pattern: string): boolean {
  const tokens = readGlob(pattern)
  if (tokens === null) return false
  let [at, next, lastStar, starEnd] = [0, 0, -1, 0]
  while (at < text.length) {
    const token = tokens[next]
    if (token === 'star') {
      lastStar = next++
      starEnd = at
    } else if (token?.(text.charAt(at))) {
      next++
      at++
    } else if (lastStar >= 0 && text.charAt(starEnd) !== '/') {
      next = lastStar + 1
      at = ++starEnd
    } else return false
  }
  return tokens.slice(next).every(token => token === 'star')
}

function readGlob(pattern: string): Token[] | null {
  const tokens: Token[] = []
  PIECE.lastIndex = 0
  while (PIECE.lastIndex < pattern.length) {
    const piece = PIECE.exec(pattern)
    if (piece === null) return null
    const [, star, one, negation, members, escaped, plain] = piece
    if (star !== undefined) tokens.push('star')
    else if (one !== undefined) tokens.push(character => character !== '/')
    else if (members !== undefined) tokens.push(classOf(members, negation !== ''))
    else tokens.push(character => character === (escaped ?? plain))
  }
  return tokens
}

function classOf(members: string, isNegated: boolean): Token {
  const ranges = [...members.matchAll(RANGE)].map(([, low = '', high = low]) => [low, high] as const)
  return character => ranges.some(([low, high]) => low <= character && character <= high) !== isNegated
}
