/** The form in which messages show a refused address, or a text given as one. @module */

/** The part after the scheme of an address without a user: hosts with optional ports. */
const HOSTS = /^(?:[\w.-]*|\[[\da-f:.]*\])(?::\d{1,5})?(?:,(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?)*$/i

/** @returns the text in quotes, without the query and the fragment. Only the scheme remains if there is an "@", or if the text after a scheme is not a host.
 *  Without a scheme, everything after the first "=" is removed, as of `host=h password=p`. The removed text may contain a user name or password. */
export function shownAddress(text: string): string {
  const scheme = /^[a-z][\w+.-]{0,20}:\/\//i.exec(text)?.[0] ?? ''
  if (text.includes('@')) return JSON.stringify(`${scheme}...@...`)
  const [hosts = ''] = text.slice(scheme.length).split(/[/?#]/)
  if (scheme !== '' && !HOSTS.test(hosts)) return JSON.stringify(`${scheme}...`)
  const path = text.replace(/([?#]).*$/s, '$1...')
  return JSON.stringify((scheme === '' ? path.replace(/=.*$/s, '=...') : path).slice(0, 80))
}
