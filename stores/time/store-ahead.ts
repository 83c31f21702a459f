/** Measures how far the clock of a store is ahead of this process, with each renewal of the node's lease. The error is up to half of the time that
 *  the answer took. The best measurement is used until drift may have made it worse than a new one, or until a new one shows that a clock was set.
 *  @module */

/** The maximum drift of two clocks, ms per ms: ten times that of usual crystals, and twice the correction rate of NTP. */
const DRIFT = 0.001
/** The rounding error, because both clocks count whole milliseconds. */
const ROUNDED_MS = 1

/** Unix ms; the first two by the clock of this process. */
export type ClockReading = { readonly askedAt: number; readonly answeredAt: number; readonly storeAt: number }

type Measured = { readonly aheadMs: number; readonly uncertainMs: number; readonly at: number }

export class StoreAhead {
  #best: Measured | null = null

  /** @returns ms; negative: behind; 0 before the first reading */
  ms(): number {
    return this.#best?.aheadMs ?? 0
  }

  /** The maximum error of `ms` when it was measured; infinite before the first reading. */
  uncertainMs(): number {
    return this.#best?.uncertainMs ?? Number.POSITIVE_INFINITY
  }

  read({ askedAt, answeredAt, storeAt }: ClockReading): void {
    const uncertainMs = (answeredAt - askedAt) / 2 + ROUNDED_MS
    const measured = { aheadMs: storeAt - (askedAt + answeredAt) / 2, uncertainMs, at: answeredAt }
    if (this.#best === null || isBetter(measured, this.#best)) this.#best = measured
  }
}

function isBetter(measured: Measured, best: Measured): boolean {
  const oldMs = best.uncertainMs + (measured.at - best.at) * DRIFT
  const isSet = Math.abs(measured.aheadMs - best.aheadMs) > measured.uncertainMs + oldMs
  return isSet || measured.uncertainMs <= oldMs
}
