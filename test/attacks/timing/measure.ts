/** Measures one function with secrets of two classes, in random order. @module */
import { randomInt } from 'node:crypto'
import { strongest, type Timed, type Verdict } from './statistics.ts'

export type Case = {
  readonly name: string
  /** `secret`: its time must not depend on the class. `control`: it does, and the measurement must find that. `public`: it may, and the figure is for comparison */
  readonly kind: 'secret' | 'control' | 'public'
  /** the number of measurements, as a share of that of a run; the calculations take much longer than the comparisons */
  readonly share: number
  /** work with an input of the first class, and of the second */
  readonly works: readonly [first: readonly Work[], second: readonly Work[]]
  /** the number of calls in one measurement */
  readonly calls: number
}

export type Work = () => unknown

/** From here on a difference is likely; dudect uses the same number. */
export const LIMIT = 5
const WARM_UP = 1_000

export type Measured = Verdict & { readonly measurements: number }

export function measure({ works, calls, share }: Case, measurements: number): Measured {
  const count = Math.max(500, Math.round(measurements * share))
  const timed: Timed[] = []
  for (let i = -Math.min(WARM_UP, count); i < count; i++) {
    const isFirst = randomInt(2) === 0
    const ofClass = works[isFirst ? 0 : 1]
    const work = ofClass[randomInt(ofClass.length)]
    if (work === undefined) continue
    const startedAt = process.hrtime.bigint()
    for (let call = 0; call < calls; call++) work()
    const time = Number(process.hrtime.bigint() - startedAt)
    if (i >= 0) timed.push({ isFirst, time })
  }
  return { ...strongest(timed), measurements: count }
}

/** A difference counts if it shows twice, in the same direction: the noise of a busy machine does not. */
export function measuredTwice(given: Case, measurements: number): Measured {
  const first = measure(given, measurements)
  if (Math.abs(first.t) < LIMIT) return first
  const second = measure(given, measurements)
  const isSame = Math.sign(first.t) === Math.sign(second.t)
  return Math.abs(second.t) < Math.abs(first.t) || !isSame ? second : first
}
