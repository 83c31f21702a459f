/** An address that is refused, or what stands in its place, as a message shows it. @module */

/** @returns in quotes, without what may be the name or the password of a user: whatever stands before an "@", and a query */
export function shownAddress(text: string): string {
  const scheme = /^[a-z][\w+.-]{0,20}:\/\//i.exec(text)?.[0] ?? ''
  if (text.includes('@')) return JSON.stringify(`${scheme}...@...`)
  return JSON.stringify(text.replace(/[?#].*$/s, '?...').slice(0, 80))
}
