/** The only reader of server-sent events. The parser of the library buffers an unfinished event without a limit. So it is fed whole lines, and this
 *  file counts the characters of each event. @module */
import { createParser } from 'eventsource-parser'

/** An event or a line is longer than the limit of its reader. */
export class EventTooLongError extends Error {
  override readonly name = 'EventTooLongError'
}

/** The data of each event, regardless of the event name. Comments, events without data, and an event that the end of the stream cuts off are left
 *  out.
 *  @param maxCharacters of one event, including all its lines except comments
 *  @throws {EventTooLongError} */
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
      throw new EventTooLongError(`expected an event of at most ${maxCharacters} characters, got more`)
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

/** Splits pieces into lines; each character is scanned only once. */
class Lines {
  readonly #decoder = new TextDecoder()
  #begun: string[] = []
  #isAfterCr = false
  /** number of characters in the unfinished line */
  begunLength = 0

  /** @returns the lines that end in this piece, without their line ends (CR, LF or both) */
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
