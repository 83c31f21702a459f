/** Writes a copy of the private key of a scheme, under a new passphrase or without one (spec/schemes-and-cli#16.6). @module */
import { resolve } from 'node:path'
import { mistakeIfThere, writeNewPrivate } from '../key-files.ts'
import { createTerminal } from '../wallet/questions.ts'
import type { CopyFlags } from './flags.ts'
import { readSchemeKey } from './key-file.ts'
import { newKeyPem } from './new-key.ts'

/** @returns the mistake in the named file; undefined after the copy is written
 *  @throws {Error} with a message for an operator */
export async function copySchemeKey(flags: CopyFlags): Promise<string | undefined> {
  const copy = { file: flags.out, option: '--out' }
  const known = mistakeIfThere(copy)
  if (known !== undefined) return known
  const terminal = createTerminal()
  try {
    const key = await readSchemeKey('--in', flags.in, flags.passphraseFile, terminal)
    const mistake = writeNewPrivate({ ...copy, content: await newKeyPem(key, flags, terminal) })
    if (!mistake) process.stdout.write(`Private key written at ${resolve(flags.out)}\n`)
    return mistake
  } finally {
    terminal.close()
  }
}
