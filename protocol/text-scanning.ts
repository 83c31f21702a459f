/** Reading what others sent in time that grows with its length: what was looked at once is not looked at again. @module */

/** Without the slashes at its end. A pattern for them would begin anew at each slash of a text that is full of them. */
export function withoutSlashesAtEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}

/** A text of several lines as one; it may quote what a server said. */
export function inOneLine(text: string): string {
  const lines = text.split('\n').map(line => line.trim())
  return lines.filter(line => line !== '').join(' ')
}

/** The lines of a text that arrives in pieces, however small these are. */
export class Lines {
  readonly #decoder = new TextDecoder()
  #begun: string[] = []
  #begunLength = 0

  /** @returns the lines that end in this piece, without their ends */
  endingIn(piece: Uint8Array): string[] {
    const parts = this.#decoder.decode(piece, { stream: true }).split('\n')
    const rest = parts.pop() ?? ''
    const [first, ...others] = parts
    const ended = first === undefined ? [] : [this.#begun.join('') + first, ...others]
    if (first !== undefined) this.#begun = []
    this.#begunLength = (first === undefined ? this.#begunLength : 0) + rest.length
    this.#begun.push(rest)
    return ended.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  /** Characters of the line that has not ended yet; its bound is for whoever reads. */
  get begunLength(): number {
    return this.#begunLength
  }
}
