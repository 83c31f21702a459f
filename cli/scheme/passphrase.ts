/** The passphrase of a private key of a scheme: typed in the terminal without echo, or read from a file, for scripts. No flag contains it, because other users of
 *  the computer can read flags. No message contains it. @module */
import { readText } from '../read-text.ts'
import type { Terminal } from '../wallet/questions.ts'

/** Advice for scripts: without a terminal, the answer to the question is empty. */
const BY_FILE = '; a script names a file with --passphrase-file'

/** The passphrase of an existing key.
 *  @throws {Error} if there is none */
export async function passphraseOf(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return firstLine('--passphrase-file', file)
  return notEmpty('private key', await terminal.askSecret('Enter passphrase: '), BY_FILE)
}

/** A new passphrase, typed twice.
 *  @throws {Error} if the two differ, or are empty */
export async function newPassphrase(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return firstLine('--new-passphrase-file', file)
  const passphrase = notEmpty('new key', await terminal.askSecret('Enter passphrase for new key: '))
  if ((await terminal.askSecret('Confirm passphrase: ')) === passphrase) return passphrase
  throw new Error('new key: expected the same passphrase twice, got two different ones; no file was written')
}

function firstLine(flag: string, file: string): string {
  const [line = ''] = readText(flag, file)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  return notEmpty(`${flag} ${file}`, line)
}

function notEmpty(what: string, passphrase: string, hint = ''): string {
  if (passphrase !== '') return passphrase
  throw new Error(`${what}: expected a passphrase, got an empty one${hint}`)
}
