/** The usual time of each part of a target, by the size of its inputs, and calls that take 50 times as long. Tests assert no times: only the command reports them. @module */

const TIMES = 50
/** Fewer calls give no usual time. */
const FEWEST = 50
/** Shorter calls are not reported: the collector of garbage takes as long. */
const SHORTEST_MS = 40
const SAMPLES = 401

export class UsualTime {
  readonly #samples = new Map<string, number[]>()

  /** @returns the usual time if this call took 50 times as long; null: it did not, or the usual time is not known yet */
  note(part: string, size: number, ms: number): number | null {
    const key = `${part} ${Math.floor(Math.log2(size + 1) / 2)}`
    const samples = this.#samples.get(key) ?? []
    this.#samples.set(key, samples)
    const isSlow = ms > SHORTEST_MS && samples.length >= FEWEST && ms > TIMES * median(samples)
    if (isSlow) return median(samples)
    if (samples.length < SAMPLES) samples.push(ms)
    return null
  }
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
