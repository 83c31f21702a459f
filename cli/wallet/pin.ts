/** The PIN of a wallet: asked in the terminal, without showing it, or read from a file that a script names. It stands in no flag, which other users of a computer may see, and in
 *  no message. @module */
import type { AskPin } from '../../wallet/keyshare/login.ts'
import { readText } from '../read-text.ts'
import type { Terminal } from './questions.ts'

/** @param file undefined: a person is asked
 *  @returns what answers a keyshare server; an empty line walks away. A PIN of a file is tried once. */
export function pinOf(file: string | undefined, terminal: Terminal): AskPin {
  return async ({ scheme, triesLeft }) => {
    const tries = triesLeft === null ? '' : `Wrong PIN, ${triesLeft} more before it waits. `
    if (file === undefined) return (await terminal.askSecret(`${tries}PIN of ${scheme}: `)) || null
    if (triesLeft !== null)
      throw new Error(
        `--pin-file ${file}: expected the PIN of ${scheme}, got another; ${triesLeft === 1 ? '1 try is' : `${triesLeft} tries are`} left`,
      )
    return readPin('--pin-file', file)
  }
}

/** A PIN that is to be set, typed twice.
 *  @throws {Error} if it is not typed the same twice */
export async function newPin(flag: string, file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return readPin(flag, file)
  const pin = await terminal.askSecret('New PIN, of at least 5 characters: ')
  if ((await terminal.askSecret('Again: ')) === pin) return pin
  throw new Error('PIN: expected the same twice, got two different ones; nothing was changed')
}

/** The first line of a file. */
export function readPin(flag: string, file: string): string {
  const [line = ''] = readText(flag, file).split(/\r?\n/)
  if (line === '') throw new Error(`${flag} ${file}: expected a PIN in its first line, got nothing`)
  return line
}
