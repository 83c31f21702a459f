/** A request of a web site as a command for a shell. @module */

/** `POST` of JSON. In a shell nothing between single quotes means anything but the next single quote.
 *  @param body without secrets: the command is shown on the page */
export function curlOf(url: string, body: object): string {
  const quoted = [url, 'Content-Type: application/json', JSON.stringify(body)].map(inQuotes)
  return `curl ${quoted[0]} -H ${quoted[1]} --data-raw ${quoted[2]}`
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
