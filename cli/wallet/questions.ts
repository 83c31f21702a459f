/** Questions in the terminal, one after the other, over all sessions of a command. @module */
import { createInterface } from 'node:readline'

export type Terminal = {
  /** @returns the line that was typed; empty at the end of standard input */
  ask(question: string): Promise<string>
  close(): void
}

/** Standard input is read from the first question on. */
export function createTerminal(): Terminal {
  let input: { readonly lines: AsyncIterator<string>; close(): void } | null = null
  const open = () => {
    const reader = createInterface({ input: process.stdin })
    return { lines: reader[Symbol.asyncIterator](), close: () => reader.close() }
  }
  return {
    async ask(question) {
      input ??= open()
      process.stderr.write(question)
      const line = await input.lines.next()
      return line.done ? '' : line.value.trim()
    },
    close: () => input?.close(),
  }
}
