/** Logs unknown members of session requests, which are ignored: each name once per requestor. So a misspelt name is seen, and a requestor cannot fill
 *  the log or the memory. Values are never logged, nor names that could be values. @module */
/** The maximum number of names logged for one requestor. The names of requestors come from the settings, so their number is bounded too. */
const MAX_NAMES = 16
/** A name that could be a misspelt member name. */
const WORD = /^[\w@.-]{1,48}$/
const NO_WORD = '(no word)'

/** @param requestor name of the requestor that sent the request or started the chain; empty without authentication
 *  @param names of unknown members
 *  @param trace id of the trace in which the session is requested */
export type NoteUnknownMembers = (requestor: string, names: readonly string[], trace?: string) => void

/** To be created once for each server, so that all requests share its memory. */
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
