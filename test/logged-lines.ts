/** Lines of a log in JSON, for tests that need the lines with one message. @module */

export type LoggedLine = Readonly<Record<string, unknown>>

/** The lines with this message, the oldest first. */
export function linesOf(
  { log }: { readonly log: readonly string[] },
  message: string,
): readonly LoggedLine[] {
  return log.map(line => JSON.parse(line) as LoggedLine).filter(({ msg }) => msg === message)
}
