/** QR codes for a terminal. A character shows two modules, so that a session pointer fits in a window of 80 columns and 24 rows (spec/schemes-and-cli#16.4).
 *  @module */
import QRCode from 'qrcode'

/** Width of the light border, in modules. The standard requires four, but cameras need fewer, and a terminal has few rows. */
const QUIET_ZONE = 1
const [BLACK, WHITE] = [0, 7]

/** @returns rows of text with the colours of the code, independent of the terminal's colours */
export function qrCode(text: string): readonly string[] {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'L' }).modules
  const colourAt = (row: number, column: number): number => {
    const isInside = row >= 0 && row < size && column >= 0 && column < size
    return isInside && data[row * size + column] ? BLACK : WHITE
  }
  const from = -QUIET_ZONE
  const rows: string[] = []
  for (let row = from; row < size + QUIET_ZONE; row += 2) {
    let line = ''
    for (let column = from; column < size + QUIET_ZONE; column++)
      line += `\x1b[3${colourAt(row, column)};4${colourAt(row + 1, column)}m▀`
    rows.push(`${line}\x1b[0m`)
  }
  return rows
}
