/** A pointer on standard output: as a QR code for a phone, or as the line of JSON that the code holds. @module */
import QRCode from 'qrcode'
import { writeJson } from '../../protocol/json.ts'
import type { SessionFlags } from '../session.ts'

export async function showPointer(
  pointer: object,
  { json, noqr }: Pick<SessionFlags, 'json' | 'noqr'>,
): Promise<void> {
  const text = writeJson(pointer)
  const isLine = json || noqr
  const shown = isLine ? text : await QRCode.toString(text, { type: 'terminal', errorCorrectionLevel: 'L' })
  process.stdout.write(`${shown}\n`)
}
