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

/** As `utf8Of`, for the content of a file that may be PEM. A PEM text in another encoding is accepted: only its comments can have such characters, and they change
 *  no key. */
export function utf8OrPemOf(bytes: Uint8Array): string | null {
  const text = utf8Of(bytes)
  if (text !== null) return text
  const other = Buffer.from(bytes).toString('latin1')
  return other.includes('-----BEGIN ') ? other : null
}
