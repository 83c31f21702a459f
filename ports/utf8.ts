/** Decodes texts of other programs from bytes. @module */

/** @returns the text, including a byte order mark at its beginning; null if the bytes are not UTF-8. Replacement characters would change a text that
 *    is then signed or stored. */
export function utf8Of(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
