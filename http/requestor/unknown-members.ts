/** The log of members of session requests that nobody reads: each name once per requestor, so that somebody sees a name that is misspelt, and nobody
 *  can fill the log or the memory. A value never stands there, nor a name that could be one. @module */
import type { ServerDeps } from '../deps.ts'

/** The most names that are told of one requestor; the names of requestors are those of the settings. */
const MAX_NAMES = 16
/** A member name as somebody would misspell it. */
const WORD = /^[\w@.-]{1,48}$/
const NO_WORD = '(no word)'

/** @returns called with the name of the requestor, empty without authentication, and the names of such members */
export function unknownMembersLog({ log }: Pick<ServerDeps, 'log'>) {
  const told = new Map<string, Set<string>>()
  return (requestor: string, names: readonly string[]): void => {
    const known = told.get(requestor) ?? new Set()
    const members: string[] = []
    for (const name of names) {
      const word = WORD.test(name) ? name : NO_WORD
      if (known.size >= MAX_NAMES || known.has(word)) continue
      known.add(word)
      members.push(word)
    }
    if (members.length === 0) return
    told.set(requestor, known)
    log.warn({ requestor, members }, 'session request: expected known members, got others, which are ignored')
  }
}
