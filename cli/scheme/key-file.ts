/** Reads the private key of a scheme, with or without a passphrase (spec/schemes-and-cli#16.6). @module */
import type { KeyObject } from 'node:crypto'
import { needsPassphrase, openKeyPem, WrongPassphraseError } from '../../schemes/encrypted-key.ts'
import { readText } from '../read-text.ts'
import type { Terminal } from '../wallet/questions.ts'
import { passphraseOf } from './passphrase.ts'

/** @param what argument or flag that names the file
 *  @param passphraseFile undefined: the user is asked if the key has a passphrase
 *  @throws {Error} with a message for an operator */
export async function readSchemeKey(
  what: string,
  file: string,
  passphraseFile: string | undefined,
  terminal: Terminal,
): Promise<KeyObject> {
  const pem = readText(what, file)
  const passphrase = isEncrypted(pem, file) ? await passphraseOf(passphraseFile, terminal) : ''
  const key = parsed(pem, file, passphrase)
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw notAKey(file, 'a key of another type')
  return key
}

function isEncrypted(pem: string, file: string): boolean {
  try {
    return needsPassphrase(pem)
  } catch (error) {
    throw notAKey(file, reasonOf(error))
  }
}

function parsed(pem: string, file: string, passphrase: string): KeyObject {
  try {
    return openKeyPem(pem, passphrase)
  } catch (error) {
    if (error instanceof WrongPassphraseError)
      throw new Error(`${file}: expected the passphrase of this key, got another`, { cause: error })
    throw notAKey(file, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  const isOfOpenSsl = error instanceof Error && 'code' in error
  return error instanceof Error && !isOfOpenSsl ? error.message : 'something else'
}

function notAKey(file: string, reason: string): Error {
  if (reason.startsWith('expected ')) return new Error(`${file}: ${reason}`)
  return new Error(`${file}: expected a PEM block with a P-256 private key, got ${reason}`)
}
