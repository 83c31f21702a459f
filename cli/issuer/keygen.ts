/** Creates the key pair of an issuer (spec/schemes-and-cli#16.7). @module */

import { dirname } from 'node:path'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { makeIssuerKey } from '../../crypto/issuer-key.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { privateKeyXml, publicKeyXml } from '../../schemes/write-keys.ts'
import { makeFolder } from '../../server/files/paths.ts'
import { mistakeIfThere, writeNewPair } from '../key-files.ts'
import type { IssuerKeyFlags } from './flags.ts'
import { type WantedKey, WrongFlagError, wantedKey } from './new-key.ts'
import { findSafePrimes } from './safe-primes.ts'

/** Mode of the key folders, before the user's umask. The private key file itself is readable only for its owner. */
const SHARED_FOLDER = 0o777

/** @returns the mistake in flags or files; undefined after both files are written
 *  @throws {Error} with a message for an operator */
export async function makeKey(path: string, flags: IssuerKeyFlags): Promise<string | undefined> {
  try {
    return await make(wantedKey(path, flags, new Date(createSystemClock().wallNow())))
  } catch (error) {
    if (error instanceof WrongFlagError) return error.message
    throw error
  }
}

async function make({ bits, privateFile, publicFile, ...wanted }: WantedKey): Promise<string | undefined> {
  const places = [
    { file: privateFile, option: '--privatekey' },
    { file: publicFile, option: '--publickey' },
  ] as const
  const [known] = places.flatMap(place => mistakeIfThere(place) ?? [])
  if (known !== undefined) return known
  // before the search for primes, which takes minutes
  for (const { file, option } of places) makeFolder(option, dirname(file), SHARED_FOLDER)
  process.stdout.write('Generating keys (may take several minutes)\n')
  const factors = await findSafePrimes(bits / 2, showProgress)
  const pair = makeIssuerKey(chooseArithmetic('auto'), { ...wanted, factors }, systemRandomness.bytes)
  const mistake = writeNewPair(
    { ...places[0], content: privateKeyXml(pair.privateKey) },
    { ...places[1], content: publicKeyXml(pair.publicKey) },
  )
  if (!mistake)
    process.stdout.write(`Private key written at ${privateFile}\nPublic key written at ${publicFile}\n`)
  return mistake
}

/** On a terminal, one line that is overwritten. Elsewhere, one line for each prime. */
function showProgress(found: number, tested: number, isNew: boolean): void {
  const line = `Safe primes: ${found} of 2, ${tested} numbers tested`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${found === 2 ? '\n' : ''}`)
  else if (isNew) process.stderr.write(`${line}\n`)
}
