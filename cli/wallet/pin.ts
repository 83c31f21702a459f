/** The PIN of a wallet: typed in the terminal without echo, or read from a file, for scripts. No flag contains it, because other users of the computer can read
 *  flags. No message contains it. @module */
import type { AskPin } from '../../libraries/wallet/keyshare/login.ts'
import { readText } from '../read-text.ts'
import type { Terminal } from './questions.ts'

/** @param file undefined: the user is asked
 *  @returns handler of PIN questions; an empty line aborts. A PIN from a file is tried only once. */
export function pinOf(file: string | undefined, terminal: Terminal): AskPin {
  return async ({ scheme, triesLeft }) => {
    const tries =
      triesLeft === null ? '' : `Wrong PIN. Tries left until the account is blocked: ${triesLeft}. `
    if (file === undefined) return (await terminal.askSecret(`${tries}PIN of ${scheme}: `)) || null
    if (triesLeft !== null)
      throw new Error(
        `--pin-file ${file}: expected the PIN of ${scheme}, got another; ${triesLeft === 1 ? '1 try is' : `${triesLeft} tries are`} left`,
      )
    return readPin('--pin-file', file)
  }
}

/** A new PIN, typed twice.
 *  @throws {Error} if the two differ */
export async function newPin(flag: string, file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return readPin(flag, file)
  const pin = await terminal.askSecret('New PIN, of at least 5 characters: ')
  if ((await terminal.askSecret('Again: ')) === pin) return pin
  throw new Error('PIN: expected the same PIN twice, got two different ones; nothing was changed')
}

/** The first line of a file. */
export function readPin(flag: string, file: string): string {
  const [line = ''] = readText(flag, file).split(/\r?\n/)
  if (line === '') throw new Error(`${flag} ${file}: expected a PIN in its first line, got nothing`)
  return line
}
