/** Reads the text of a URL. `URL.canParse` of Node 20 is not used anywhere: once it is compiled, it misreads characters of Latin-1 such as "é". @module */

/** @returns null if the text is no URL */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
