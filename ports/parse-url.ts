/** Reads the text of a URL with the constructor of `URL`, so that every version of Node reads it the same way. `URL.canParse` of Node 20 does not: after many calls it
 *  gives wrong answers for texts with a character of Latin-1 such as "é". @module */

/** @returns null if the text is no URL */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
