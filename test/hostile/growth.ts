/** Measures how the work of reading a text grows with its length, in CPU time of this process. The ratio is the same on fast and slow machines. @module */
import * as assert from 'uvu/assert'

/** Each length is 8 times the previous one. Quadratic work, which takes minutes for a megabyte, is noticed at a shorter length. */
const LENGTHS = [2 ** 14, 2 ** 17, 2 ** 20]
/** For 8 times as much text, linear work grows by 8, and quadratic work by 64. */
const MOST = 32
/** The most attempts: other processes may disturb a measurement. */
const ROUNDS = 3
/** Added to both times of a ratio, so that very short times count as no growth. */
const FLOOR_MICROS = 4_000

/** @param hostile returns a text of about that many characters
 *  @param read may throw, because hostile texts are often refused */
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
    `expected linear work for ${long.length} characters, got ${ratios.join(', ')} times as much for 8 times the text`,
  )
}

async function microsOf(read: (text: string) => unknown, text: string): Promise<number> {
  const start = process.cpuUsage()
  try {
    await read(text)
  } catch {
    // a refusal: only its time counts
  }
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** @returns a text of that length, made of repeated pieces */
export function repeated(
  piece: string,
  around: readonly [string, string] = ['', ''],
): (length: number) => string {
  const [before, after] = around
  return length => before + piece.repeat(Math.ceil(length / piece.length)) + after
}
