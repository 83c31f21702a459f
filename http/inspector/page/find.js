/** The internal name of a session, from its token: a hash, so that the token itself is not sent. @module */

/** The hex digits of an internal name. */
const NAME_DIGITS = 32

/** @param {string} text a client token, the address of a session pointer, a whole pointer as JSON, or an internal name
 *  @returns {Promise<string>} */
export async function nameOf(text) {
  const token = tokenIn(text.trim())
  if (/^[0-9a-f]{32}$/.test(token)) return token
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return [...new Uint8Array(digest)]
    .map(byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, NAME_DIGITS)
}

function tokenIn(text) {
  const [, address = text] = text.match(/"u"\s*:\s*"([^"]*)"/) ?? []
  return address.replace(/\/+$/, '').split('/').at(-1)
}
