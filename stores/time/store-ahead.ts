/** How far the clock of a store is ahead of that of this process: measured with each renewal of the node's lease, and never better than half of the time
 *  that the answer took. The best measurement counts until it is so old that the clocks may have drifted apart by more than a new one is uncertain, or until a
 *  new one proves that a clock was set. @module */

/** The most by which two clocks drift apart, ms per ms: ten times as much as usual crystals, and twice the haste of NTP. */
const DRIFT = 0.001
/** What is lost because both clocks tell whole milliseconds. */
const ROUNDED_MS = 1

/** Unix ms; the first two by the clock of this process. */
export type Reading = { readonly askedAt: number; readonly answeredAt: number; readonly storeAt: number }

type Measured = { readonly aheadMs: number; readonly uncertainMs: number; readonly at: number }

export class StoreAhead {
  #best: Measured | null = null

  /** @returns ms; negative: behind; 0 before the first reading */
  ms(): number {
    return this.#best?.aheadMs ?? 0
  }

  /** The most by which `ms` was off when it was measured; infinite before the first reading. */
  uncertainMs(): number {
    return this.#best?.uncertainMs ?? Number.POSITIVE_INFINITY
  }

  read({ askedAt, answeredAt, storeAt }: Reading): void {
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
