/** The log of members of session requests that nobody reads: each name once per requestor, so that somebody sees a name that is misspelt, and nobody
 *  can fill the log or the memory. A value never stands there, nor a name that could be one. @module */
/** The most names that are logged of one requestor; the names of requestors are those of the settings. */
const MAX_NAMES = 16
/** A member name as somebody would misspell it. */
const WORD = /^[\w@.-]{1,48}$/
const NO_WORD = '(no word)'

/** @param requestor name, empty without authentication: of the one who sent the request, or who started the chain that it continues
 *  @param names of members that nobody reads
 *  @param trace id of the trace in which the session is asked for */
export type NoteUnknownMembers = (requestor: string, names: readonly string[], trace?: string) => void

/** One of them for a server, wherever requests come from. */
export function unknownMembersLog(log: {
  readonly warn: (facts: object, message: string) => void
}): NoteUnknownMembers {
  const told = new Map<string, Set<string>>()
  return (requestor, names, trace) => {
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
    log.warn(
      { requestor, members, ...(trace !== undefined && { trace }) },
      'session request: expected known members, got others, which are ignored',
    )
  }
}
