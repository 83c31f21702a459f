/** Questions in the terminal, one after another, for all sessions of a command. @module */
import { createInterface } from 'node:readline'

export type Terminal = {
  /** @returns the typed line; empty at the end of standard input */
  ask(question: string): Promise<string>
  /** As `ask`, without echo if standard input is a terminal. */
  askSecret(question: string): Promise<string>
  close(): void
}

/** Reads standard input only after the first question. */
export function createTerminal(): Terminal {
  let input: { readonly lines: AsyncIterator<string>; close(): void } | null = null
  const open = () => {
    const reader = createInterface({ input: process.stdin })
    return { lines: reader[Symbol.asyncIterator](), close: () => reader.close() }
  }
  const close = (): void => {
    input?.close()
    input = null
  }
  const typedLine = async (question: string): Promise<string> => {
    input ??= open()
    process.stderr.write(question)
    const line = await input.lines.next()
    return line.done ? '' : line.value
  }
  return {
    ask: async question => (await typedLine(question)).trim(),
    async askSecret(question) {
      if (!process.stdin.isTTY) return typedLine(question)
      close() // otherwise two readers would compete for the input
      process.stderr.write(question)
      const typed = await readUnseen(process.stdin)
      process.stderr.write('\n')
      return typed
    },
    close,
  }
}

const [INTERRUPT, END, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\b', '\u007f']
const LAST_KEYS: readonly (string | undefined)[] = ['\r', '\n', END, INTERRUPT]

/** The used functions of a terminal with a keyboard. */
type Keyboard = {
  setRawMode(isOn: boolean): unknown
  on(event: 'data', take: (chunk: Buffer | string) => void): unknown
  off(event: 'data', take: (chunk: Buffer | string) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** Reads a line without echo. In raw mode, the program must interpret the special keys itself. */
export function readUnseen(
  terminal: Keyboard,
  interrupt = () => void process.kill(process.pid, 'SIGINT'),
): Promise<string> {
  return new Promise(resolve => {
    const typed: string[] = []
    const finish = (key: string): void => {
      terminal.off('data', take)
      terminal.setRawMode(false)
      terminal.pause()
      resolve(key === INTERRUPT ? '' : typed.join(''))
      if (key === INTERRUPT) interrupt()
    }
    const take = (chunk: Buffer | string): void => {
      for (const key of String(chunk)) {
        if (key === BACKSPACE || key === DELETE) typed.pop()
        else if (!LAST_KEYS.includes(key)) typed.push(key)
        else {
          finish(key)
          break
        }
      }
    }
    terminal.setRawMode(true)
    terminal.on('data', take)
    terminal.resume()
  })
}
