/** JSON of settings: in files, flags and variables. A repeated member is refused, because the last one would win in silence. @module */
import { RepeatedNameError, readJson } from '../../protocol/json.ts'

/** @returns the value. Numbers have the JavaScript type number, as from the readers of other formats
 *  @throws {SyntaxError} that gives the mistake and its line. It quotes only the name of a repeated member. */
export function readSettingsJson(text: string): unknown {
  try {
    readJson(text, { hasUniqueNames: true })
    return JSON.parse(text)
  } catch (error) {
    throw new SyntaxError(reasonOf(error, text))
  }
}

/** The message of `JSON.parse` is not used, because it quotes the text, which may hold a secret. */
function reasonOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : ''
  const [, reason, , at] = /^JSON: (.*?)(,? (?:at|before) position (\d+).*)?$/.exec(message) ?? []
  if (reason === undefined) return 'another text'
  const what =
    error instanceof RepeatedNameError
      ? `${JSON.stringify(error.memberName.slice(0, 80))} for the second time`
      : reason
  return `another text: ${at === undefined ? '' : `line ${lineOf(text, Number(at))}: `}${what}`
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}
