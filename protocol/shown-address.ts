/** An address that is refused, or what stands in its place, as a message shows it. @module */

/** What may stand behind the scheme of an address of which nobody is named: hosts with their ports. */
const HOSTS = /^(?:[\w.-]*|\[[\da-f:.]*\])(?::\d{1,5})?(?:,(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?)*$/i

/** @returns in quotes, without what may be the name or the password of a user: whatever stands before an "@" or where it was forgotten, and a query */
export function shownAddress(text: string): string {
  const scheme = /^[a-z][\w+.-]{0,20}:\/\//i.exec(text)?.[0] ?? ''
  if (text.includes('@')) return JSON.stringify(`${scheme}...@...`)
  const [hosts = ''] = text.slice(scheme.length).split(/[/?#]/)
  if (scheme !== '' && !HOSTS.test(hosts)) return JSON.stringify(`${scheme}...`)
  return JSON.stringify(text.replace(/[?#].*$/s, '?...').slice(0, 80))
}
