/** Reading what others sent in time that grows with its length: what was looked at once is not looked at again. @module */

/** Without the slashes at its end. A pattern for them would begin anew at each slash of a text that is full of them. */
export function withoutSlashesAtEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** A text of several lines as one; it may quote what a server said. */
export function inOneLine(text: string): string {
  const lines = text.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '').join(' ')
}
