/** Shows a session pointer to a wallet app: as a line of JSON on standard output, or as a QR code on standard error. With the QR code, the line is printed below
 *  it, so that standard output contains only the result. @module */
import { writeJson } from '../../protocol/json.ts'
import type { SessionFlags } from './flags.ts'
import { qrCode } from './qr-code.ts'

/** Size of a terminal that does not report its own. */
const [COLUMNS, ROWS] = [80, 24]

type Terminal = { readonly columns?: number; readonly rows?: number }

export function showPointer(pointer: object, { json, noqr }: Pick<SessionFlags, 'json' | 'noqr'>): void {
  const text = writeJson(pointer)
  if (json || noqr) process.stdout.write(`${text}\n`)
  else for (const line of codeWithPointer(text, process.stderr)) process.stderr.write(`${line}\n`)
}

/** The QR code, the pointer below it, and advice if the terminal is too small: a truncated code cannot be read.
 *  @param terminal its size is the limit */
export function codeWithPointer(
  text: string,
  { columns = COLUMNS, rows = ROWS }: Terminal,
): readonly string[] {
  const code = qrCode(text)
  // a character has two rows of modules, so the code has twice as many columns as lines; one more line is for the cursor
  const width = 2 * code.length
  const height = code.length + Math.ceil(text.length / columns) + 1
  const shown = [...code, text]
  if (width <= columns && height <= rows) return shown
  return [
    ...shown,
    `The code needs a window of ${width} columns and ${height} rows; make this one larger, or give the line above to the app.`,
  ]
}
