/** The one reader of server-sent events. The parser of the library keeps what has not ended, however long that grows and however small the pieces are in
 *  which it comes; so it is fed whole lines, and the characters of an event are counted here. @module */
import { createParser } from 'eventsource-parser'

/** An event, or a line, that is longer than its reader wants. */
export class EventTooLong extends Error {
  override readonly name = 'EventTooLong'
}

/** The data of each event, whatever its name. Comments, events without data and an event that the end of the stream cuts off are left out.
 *  @param maxCharacters of one event, with all of its lines but comments
 *  @throws {EventTooLong} */
export async function* eventsIn(
  chunks: AsyncIterable<Uint8Array>,
  maxCharacters: number,
): AsyncGenerator<string, undefined> {
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => void (data !== '' && events.push(data)) })
  const lines = new Lines()
  let length = 0
  const check = (characters: number): void => {
    if (characters > maxCharacters)
      throw new EventTooLong(`expected an event of at most ${maxCharacters} characters, got more`)
  }
  for await (const chunk of chunks) {
    for (const line of lines.endingIn(chunk)) {
      if (!line.startsWith(':')) length = line === '' ? 0 : length + line.length
      check(length)
      parser.feed(`${line}\n`)
      yield* events.splice(0)
    }
    check(length + lines.begunLength)
  }
}

/** Lines that arrive in pieces: what was looked at once is not looked at again. */
class Lines {
  readonly #decoder = new TextDecoder()
  #begun: string[] = []
  #isAfterCr = false
  /** characters of the line that has not ended yet */
  begunLength = 0

  /** @returns the lines that end in this piece, by CR, LF or both, without their ends */
  endingIn(piece: Uint8Array): string[] {
    const decoded = this.#decoder.decode(piece, { stream: true })
    if (decoded === '') return []
    const text = this.#isAfterCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded
    this.#isAfterCr = decoded.endsWith('\r')
    const [first = '', ...others] = text.split(/\r\n|\r|\n/)
    this.#begun.push(first)
    this.begunLength += first.length
    const rest = others.pop()
    if (rest === undefined) return []
    const ended = [this.#begun.join(''), ...others]
    this.#begun = [rest]
    this.begunLength = rest.length
    return ended
  }
}
