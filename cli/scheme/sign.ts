/** Signs a scheme and checks the signed folder (spec/schemes-and-cli#16.6). @module */

import type { KeyObject } from 'node:crypto'
import { createSystemClock } from '../../ports/clock.ts'
import { signScheme } from '../../schemes/sign.ts'
import { verifyScheme } from '../../schemes/verify.ts'
import { createTerminal } from '../wallet/questions.ts'
import type { SignFlags } from './flags.ts'
import { readSchemeKey } from './key-file.ts'
import { printWarnings } from './verify.ts'

/** @throws {Error} with a message for an operator */
export async function sign(keyFile: string, folder: string, flags: SignFlags): Promise<void> {
  const key = await keyIn(keyFile, flags)
  const nowSec = Math.floor(createSystemClock().wallNow() / 1_000)
  signScheme(folder, key, nowSec)
  if (flags.noverification) return
  const warnings = await verifyScheme(folder, nowSec).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Scheme was signed but verification failed: ${reason}`, { cause: error })
  })
  printWarnings(warnings)
}

async function keyIn(file: string, { passphraseFile }: SignFlags): Promise<KeyObject> {
  const terminal = createTerminal()
  try {
    return await readSchemeKey('PRIVATEKEY', file, passphraseFile, terminal)
  } finally {
    terminal.close()
  }
}
