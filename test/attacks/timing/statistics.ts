/** The statistics of dudect (Reparaz, Balasch, Verbauwhede, 2017): Welch's t of two classes of times, for all of them and for those below many percentiles. A leak in a short
 *  path shows below a low percentile, and the noise of the machine lies above a high one. @module */

/** True for the first class. */
export type Timed = { readonly isFirst: boolean; readonly time: number }

/** Number of percentiles. */
const CROPS = 100
/** Fewer times of a class give no t. */
const FEWEST = 100

export type Verdict = {
  /** the t with the largest absolute value */
  readonly t: number
  /** share of the times below the percentile that gave it; 1: all */
  readonly share: number
}

/** The strongest difference between both classes. */
export function strongest(timed: readonly Timed[]): Verdict {
  const sorted = timed.map(({ time }) => time).sort((a, b) => a - b)
  let found: Verdict = { t: tBelow(timed, Number.POSITIVE_INFINITY), share: 1 }
  for (let crop = 0; crop < CROPS; crop++) {
    const share = shareOf(crop)
    const t = tBelow(timed, sorted[Math.floor(share * sorted.length)] ?? 0)
    if (Math.abs(t) > Math.abs(found.t)) found = { t, share }
  }
  return found
}

/** The percentiles become denser towards the highest times, as dudect has them. */
function shareOf(crop: number): number {
  return 1 - 0.5 ** ((10 * (crop + 1)) / CROPS)
}

function tBelow(timed: readonly Timed[], limit: number): number {
  const kept = timed.filter(({ time }) => time < limit)
  const timesOf = (isFirst: boolean): number[] =>
    kept.filter(each => each.isFirst === isFirst).map(({ time }) => time)
  const [first, second] = [timesOf(true), timesOf(false)]
  return first.length < FEWEST || second.length < FEWEST ? 0 : welchT(first, second)
}

/** Welch's t of two samples: the difference of their means in standard errors. Samples without any difference give 0. */
export function welchT(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [meanAndError(a), meanAndError(b)]
  const difference = first.mean - second.mean
  return difference === 0 ? 0 : difference / Math.sqrt(first.squaredError + second.squaredError)
}

function meanAndError(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, squaredError: squares / (values.length - 1) / values.length }
}
