/** Creates the key pair of a scheme (spec/schemes-and-cli#16.6). @module */
import { generateKeyPairSync } from 'node:crypto'
import { resolve } from 'node:path'
import { mistakeIfThere, writeNewPair } from '../key-files.ts'
import { createTerminal } from '../wallet/questions.ts'
import type { KeyFlags } from './flags.ts'
import { newKeyPem } from './new-key.ts'

/** @returns the mistake in the named files; undefined after both are written
 *  @throws {Error} with a message for an operator */
export async function makeSchemeKey(flags: KeyFlags): Promise<string | undefined> {
  const { privatekey, publickey } = flags
  const places = [
    { file: privatekey, option: '--privatekey' },
    { file: publickey, option: '--publickey' },
  ] as const
  const [known] = places.flatMap(place => mistakeIfThere(place) ?? [])
  if (known !== undefined) return known // before the user is asked for a passphrase
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const terminal = createTerminal()
  try {
    const mistake = writeNewPair(
      { ...places[0], content: await newKeyPem(privateKey, flags, terminal) },
      { ...places[1], content: publicKey.export({ type: 'spki', format: 'pem' }).toString() },
    )
    if (mistake) return mistake
  } finally {
    terminal.close()
  }
  process.stdout.write(
    `Private key written at ${resolve(privatekey)}\nPublic key written at ${resolve(publickey)}\n`,
  )
  return undefined
}
