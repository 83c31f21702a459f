/** Says what was signed, with which attributes, when, and whether that is so (`spec/cryptography.md` 12.6). It asks nobody: a timestamp counts when its key
 *  is among those that the caller trusts. @module */

import { text as readAll } from 'node:stream/consumers'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { verifyProofs } from '../../crypto/proof-list.ts'
import { timestampNonce } from '../../crypto/timestamp.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { parseSignedMessage, type SignedMessage } from '../../protocol/signed-message.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { installedSchemes } from '../../server/files/schemes-folder.ts'
import { checkStoredSignature } from '../../sessions/check-signature.ts'
import type { Judgement } from '../../sessions/result.ts'
import { readText } from '../read-text.ts'
import type { VerifyFlags } from './flags.ts'

const ED25519_KEY_BYTES = 32

/** @param file undefined: standard input
 *  @throws {Error} if it is no signature, or not a valid one */
export async function verifySignature(file: string | undefined, flags: VerifyFlags): Promise<void> {
  const stampKeys = flags.timestampKey.map(keyOf)
  const folder = installedSchemes(flags.schemesPath)
  const text = signedMessageIn(
    file === undefined ? await readAll(process.stdin) : readText('signature', file),
  )
  const message = parseSignedMessage(text)
  const schemes = await loadSchemes(folder)
  const arithmetic = chooseArithmetic('auto')
  const nowSec = Math.floor(createSystemClock().wallNow() / 1_000)
  const judgement = await checkStoredSignature(
    { text, stampKeys, nowSec, schemes },
    {
      verify: async list => verifyProofs(arithmetic, list),
      timestampNonce: async stamped => timestampNonce(stamped, arithmetic),
    },
  )
  const lines = flags.json ? [JSON.stringify(facts(message, judgement))] : inWords(message, judgement)
  process.stdout.write(`${lines.join('\n')}\n`)
  if (judgement.proofStatus !== 'VALID') throw new Error(reasonOf(message, judgement, stampKeys))
}

/** A session result holds the signed message as its `signature`, which in the message itself is a list. */
function signedMessageIn(text: string): string {
  const json = parsed(text)
  if (typeof json !== 'object' || json === null || !('signature' in json) || json.signature === null)
    throw new Error('signature: expected a signed message, or a session result that holds one, got neither')
  return Array.isArray(json.signature) ? text : JSON.stringify(json.signature)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('signature: expected a signed message in JSON, got something else')
  }
}

function keyOf(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64')
  if (key.length !== ED25519_KEY_BYTES)
    throw new Error(`--timestamp-key: expected ${ED25519_KEY_BYTES} bytes in Base64, got ${key.length}`)
  return key
}

function facts({ message, timestamp }: SignedMessage, { proofStatus, disclosed = [] }: Judgement): object {
  return {
    proofStatus,
    message,
    time: timestamp?.timeSec ?? null,
    disclosed: disclosed.flatMap(one => one ?? []),
  }
}

function inWords({ message, timestamp }: SignedMessage, { disclosed = [] }: Judgement): readonly string[] {
  const attributes = disclosed.flatMap(one => one ?? [])
  return [
    `Message: ${quoted(message)}`,
    `Time: ${timestamp === null ? 'not stamped, judged as of now' : timeOf(timestamp.timeSec)}`,
    ...attributes.map(({ id, rawvalue }) => `${id}: ${rawvalue === null ? '(none)' : quoted(rawvalue)}`),
  ]
}

function timeOf(timeSec: number): string {
  const date = new Date(timeSec * 1_000)
  return Number.isNaN(date.valueOf()) ? `second ${timeSec}` : date.toISOString()
}

/** Whatever a text holds, a terminal shows it and does nothing else. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function reasonOf(
  { timestamp }: SignedMessage,
  { proofStatus }: Judgement,
  stampKeys: readonly Uint8Array[],
): string {
  const reason = `signature: expected a valid one, got ${proofStatus}`
  if (timestamp === null || stampKeys.some(key => Buffer.from(key).equals(timestamp.publicKey))) return reason
  const key = Buffer.from(timestamp.publicKey).toString('base64')
  return `${reason}; the key of its timestamp is none of --timestamp-key: ${key}`
}
