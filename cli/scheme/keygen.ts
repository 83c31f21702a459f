/** Creates the key pair of a scheme (spec/schemes-and-cli#16.6). @module */
import { generateKeyPairSync } from 'node:crypto'
import { resolve } from 'node:path'
import { writeNewPair } from '../key-files.ts'
import type { KeyFlags } from './flags.ts'

/** @returns the mistake in the named files; undefined after both are written */
export function makeSchemeKey({ privatekey, publickey }: KeyFlags): string | undefined {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const mistake = writeNewPair(
    {
      file: privatekey,
      option: '--privatekey',
      content: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
    },
    {
      file: publickey,
      option: '--publickey',
      content: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
  )
  if (mistake) return mistake
  process.stdout.write(
    `Private key written at ${resolve(privatekey)}\nPublic key written at ${resolve(publickey)}\n`,
  )
  return undefined
}
