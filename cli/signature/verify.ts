/** Prints the message, the attributes and the time of a signature, and whether it is valid (spec/cryptography#12.6). @module */
import { loadSchemes } from '../../schemes/load.ts'
import { installedSchemes } from '../../server/files/schemes-folder.ts'
import { verifySignature as judge } from '../../server/verify-signature.ts'
import { parseStampKey, type SignatureFacts } from '../../sessions/verify-signature.ts'
import { readInput, readText } from '../read-text.ts'
import type { VerifyFlags } from './flags.ts'

/** @param file undefined: standard input
 *  @throws {Error} if it is not a signature, or an invalid one */
export async function verifySignature(file: string | undefined, flags: VerifyFlags): Promise<void> {
  for (const key of flags.timestampKey) parseStampKey(key, '--timestamp-key') // so that the error names the flag
  const folder = installedSchemes(flags.schemesPath)
  const text = file === undefined ? await readInput('signature') : readText('signature', file)
  const timestampKeys = flags.timestampKey
  const facts = await judge(text, { schemes: await loadSchemes(folder), timestampKeys })
  const lines = flags.json ? [JSON.stringify(inJson(facts))] : inWords(facts)
  process.stdout.write(`${lines.join('\n')}\n`)
  if (facts.proofStatus !== 'VALID') throw new Error(reasonOf(facts, timestampKeys))
}

function inJson({ proofStatus, message, timeSec: time, disclosed }: SignatureFacts): object {
  return { proofStatus, message, time, disclosed }
}

function inWords({ message, timeSec, disclosed }: SignatureFacts): readonly string[] {
  return [
    `Message: ${quoted(message)}`,
    `Time: ${timeSec === null ? 'not stamped, judged as of now' : timeOf(timeSec)}`,
    ...disclosed.map(({ id, rawvalue }) => `${id}: ${rawvalue === null ? '(none)' : quoted(rawvalue)}`),
  ]
}

function timeOf(timeSec: number): string {
  const date = new Date(timeSec * 1_000)
  return Number.isNaN(date.valueOf()) ? `second ${timeSec}` : date.toISOString()
}

/** Escapes control characters, so that a terminal shows the text and interprets none of it. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function reasonOf({ proofStatus, timestampKey }: SignatureFacts, trustedKeys: readonly string[]): string {
  const reason = `signature: expected a valid one, got ${proofStatus}`
  const isTrusted = trustedKeys.some(key => Buffer.from(key, 'base64').toString('base64') === timestampKey)
  if (timestampKey === null || isTrusted) return reason
  return `${reason}; the key of its timestamp is none of --timestamp-key: ${timestampKey}`
}
