/** The text of a new private key of a scheme, with a passphrase if the user wants one (spec/schemes-and-cli#16.6). @module */
import type { KeyObject } from 'node:crypto'
import { systemRandomness } from '../../ports/randomness.ts'
import { encryptedKeyPem } from '../../schemes/encrypted-key.ts'
import { fromText } from '../../server/settings/values.ts'
import type { Terminal } from '../wallet/questions.ts'
import type { NewKeyFlags } from './flags.ts'
import { newPassphrase } from './passphrase.ts'

/** @throws {Error} with a message for an operator */
export async function newKeyPem(key: KeyObject, flags: NewKeyFlags, terminal: Terminal): Promise<string> {
  if (!wantsPassphrase(flags)) {
    if (flags.newPassphraseFile !== undefined)
      throw new Error(
        '--new-passphrase-file: expected --pass true with it, got --pass false: the key would have no passphrase',
      )
    return key.export({ type: 'sec1', format: 'pem' }).toString()
  }
  const passphrase = await newPassphrase(flags.newPassphraseFile, terminal)
  return encryptedKeyPem(key, passphrase, systemRandomness.bytes)
}

function wantsPassphrase({ pass }: NewKeyFlags): boolean {
  const wanted = typeof pass === 'string' ? fromText('switch', pass) : pass
  if (typeof wanted === 'boolean') return wanted
  throw new Error(`--pass: expected true or false, got ${JSON.stringify(pass)}`)
}
