/** The flags of `svc scheme sign`, `keygen` and `keycopy`. @module */
import type { Command } from 'commander'

/** `true` or a text: with a passphrase; `false`, as commander or the user writes it: without */
type Pass = string | boolean
export type NewKeyFlags = { readonly pass: Pass; readonly newPassphraseFile?: string }
export type KeyFlags = NewKeyFlags & { readonly privatekey: string; readonly publickey: string }
export type CopyFlags = NewKeyFlags & {
  readonly in: string
  readonly out: string
  readonly passphraseFile?: string
}
export type SignFlags = { readonly noverification?: true; readonly passphraseFile?: string }

const PASSPHRASE_FILE = [
  '--passphrase-file <FILE>',
  'file with the passphrase of the private key in its first line (default: ask for it)',
] as const
const NEW_PASSPHRASE_FILE = [
  '--new-passphrase-file <FILE>',
  'file with the passphrase of the new key in its first line (default: ask for it)',
] as const

export function addKeyFlags(keygen: Command): Command {
  return keygen
    .option('-s, --privatekey <FILE>', 'file of the private key', 'sk.pem')
    .option('-p, --publickey <FILE>', 'file of the public key', 'pk.pem')
    .option('--pass [BOOLEAN]', 'encrypt the private key with a passphrase', false)
    .option(...NEW_PASSPHRASE_FILE)
}

export function addCopyFlags(keycopy: Command): Command {
  return keycopy
    .option('-i, --in <FILE>', 'file of the private key', 'sk.pem')
    .option('-o, --out <FILE>', 'file of the copy', 'sk-copy.pem')
    .option('--pass [BOOLEAN]', 'encrypt the copy with a passphrase; false: a copy without one', true)
    .option(...PASSPHRASE_FILE)
    .option(...NEW_PASSPHRASE_FILE)
}

export function addSignFlags(sign: Command): Command {
  return sign.option('-n, --noverification', 'do not check it').option(...PASSPHRASE_FILE)
}
