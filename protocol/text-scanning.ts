/** Scans texts from other parties in linear time: no part of a text is read twice. @module */

/** The text without the slashes at its end. A regular expression would start again at each slash, in quadratic time. */
export function withoutSlashesAtEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** Joins several lines into one. The text may quote the message of a server. */
export function inOneLine(text: string): string {
  const lines = text.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '').join(' ')
}
