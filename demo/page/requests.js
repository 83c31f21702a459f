/** Calls of the page to its own origin, and to the session server under the names of web sites. @module */

/** An error response; `message` can be shown to users. */
export class RefusalError extends Error {}

/** @param {string} url
 *  @param {{ method?: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal, keepalive?: boolean }} [options]
 *  @returns {Promise<any>} the parsed answer; undefined if it has no body */
export async function call(url, { method = 'GET', body, headers = {}, signal, keepalive } = {}) {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  }).catch(error => {
    throw signal?.aborted ? error : new RefusalError(unreached(url))
  })
  const text = await response.text()
  if (!response.ok) throw new RefusalError(reasonOf(text) ?? `The server answered ${response.status}.`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Explains a failed call. The browser does not report the reason. */
function unreached(url) {
  const { origin, hostname } = new URL(url, location.href)
  return origin === location.origin
    ? 'The demo does not answer. Is it still running?'
    : `There is no answer from ${hostname}. Is the demo still running, and does this browser find names under localhost on this computer?`
}

/** The message of an error object (spec/interface#2.11), if the text contains one. */
function reasonOf(text) {
  try {
    const { message, description } = JSON.parse(text)
    return message ?? description
  } catch {
    return undefined // not JSON: the caller shows the status instead
  }
}
