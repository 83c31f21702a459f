/** How the work of reading a text grows with its length, as the CPU time of this process tells it: quicker and slower machines agree on a ratio. @module */
import * as assert from 'uvu/assert'

/** Longer by 8 each time. A reader whose work grows with the square is found out before the megabyte, which would take it minutes. */
const LENGTHS = [2 ** 14, 2 ** 17, 2 ** 20]
/** Linear work is 8 times as much for 8 times as much text, work that grows with the square 64 times. */
const MOST = 32
/** The most tries: other processes may disturb one. */
const ROUNDS = 3
/** The least work that a ratio is told by: both sides get it added, so that what takes next to no time counts as no growth. */
const FLOOR_MICROS = 4_000

/** @param hostile a text of about so many characters
 *  @param read may throw: what is hostile is often refused */
export async function assertLinear(
  hostile: (length: number) => string,
  read: (text: string) => unknown,
): Promise<void> {
  const texts = LENGTHS.map(hostile)
  for (const [i, long] of texts.entries()) {
    const short = texts[i - 1]
    if (short !== undefined) await assertRatio(read, short, long)
  }
}

async function assertRatio(read: (text: string) => unknown, short: string, long: string): Promise<void> {
  const ratios: number[] = []
  while (ratios.length < ROUNDS) {
    const before = await microsOf(read, short)
    const after = await microsOf(read, long)
    const ratio = (after + FLOOR_MICROS) / (before + FLOOR_MICROS)
    if (ratio < MOST) return
    ratios.push(Math.round(ratio))
  }
  assert.unreachable(
    `expected work that grows with ${long.length} characters, got ${ratios.join(', ')} times as much`,
  )
}

async function microsOf(read: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage()
  try {
    await read(text)
  } catch {
    // refused: what counts is how long that took
  }
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** @returns a text of that length, of pieces that repeat */
export function repeated(
  piece: string,
  around: readonly [string, string] = ['', ''],
): (length: number) => string {
  const [before, after] = around
  return length => before + piece.repeat(Math.ceil(length / piece.length)) + after
}
