/** How a session pointer reaches a wallet app: as a line of JSON on standard output, or as a QR code on standard error with that line below it, so that
 *  standard output is for the result alone. @module */
import { writeJson } from '../../protocol/json.ts'
import type { SessionFlags } from './flags.ts'
import { qrCode } from './qr-code.ts'

/** The size of a terminal that does not say its own. */
const [COLUMNS, ROWS] = [80, 24]

type Terminal = { readonly columns?: number; readonly rows?: number }

export function showPointer(pointer: object, { json, noqr }: Pick<SessionFlags, 'json' | 'noqr'>): void {
  const text = writeJson(pointer)
  if (json || noqr) process.stdout.write(`${text}\n`)
  else for (const line of codeWithPointer(text, process.stderr)) process.stderr.write(`${line}\n`)
}

/** The code, the pointer below it, and where they do not fit what to do: a code that is cut off cannot be read.
 *  @param terminal whose size counts */
export function codeWithPointer(
  text: string,
  { columns = COLUMNS, rows = ROWS }: Terminal,
): readonly string[] {
  const code = qrCode(text)
  // as many columns as two rows per character make modules, and a row for the cursor
  const width = 2 * code.length
  const height = code.length + Math.ceil(text.length / columns) + 1
  const shown = [...code, text]
  if (width <= columns && height <= rows) return shown
  return [
    ...shown,
    `The code needs a window of ${width} columns and ${height} rows; make this one larger, or give the line above to the app.`,
  ]
}
