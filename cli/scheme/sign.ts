/** Signs a scheme and checks the signed folder (spec/schemes-and-cli#16.6). @module */

import { createPrivateKey, type KeyObject } from 'node:crypto'
import { createSystemClock } from '../../ports/clock.ts'
import { signScheme } from '../../schemes/sign.ts'
import { verifyScheme } from '../../schemes/verify.ts'
import { readText } from '../read-text.ts'
import { printWarnings } from './verify.ts'

/** @throws {Error} with a message for an operator */
export async function sign(keyFile: string, folder: string, isUnchecked: boolean): Promise<void> {
  const nowSec = Math.floor(createSystemClock().wallNow() / 1_000)
  signScheme(folder, readSchemeKey(keyFile), nowSec)
  if (isUnchecked) return
  const warnings = await verifyScheme(folder, nowSec).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Scheme was signed but verification failed: ${reason}`, { cause: error })
  })
  printWarnings(warnings)
}

function readSchemeKey(file: string): KeyObject {
  const pem = readText('PRIVATEKEY', file)
  if (/^-----BEGIN ENCRYPTED /m.test(pem))
    throw new Error(`${file}: expected a private key that is not encrypted, got an encrypted one`)
  const key = parsed(pem)
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error(`${file}: expected a PEM block with a P-256 private key, got something else`)
  return key
}

function parsed(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null // the caller reports the expected format
  }
}
