/** Texts of others, as bytes. @module */

/** @returns the text, with the byte order mark that it may begin with; null for bytes that are not UTF-8: what would stand in their place could be
 *  signed, or stored */
export function utf8Of(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
