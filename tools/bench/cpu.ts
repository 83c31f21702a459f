/** Measures CPU time in rounds, and compares it with the OpenSSL calls that the measured work makes. @module */
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { type Libcrypto, loadLibcrypto } from '../../crypto/bignum/libcrypto.ts'
import { opensslArithmetic } from '../../crypto/bignum/openssl.ts'

/** CPU milliseconds, user and system, per call. */
export function cpuMs(times: number, work: () => void): number {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** @param part quantile, from 0 to 1 */
export function percentile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN
}

export function rounded(x: number): number {
  return Number(x.toFixed(3))
}

/** OpenSSL's functions, with calculating ones recorded. Their numbers stay in memory, so that the calls can be repeated. */
export function recording(lib: Libcrypto): { readonly lib: Libcrypto; readonly calls: (() => void)[] } {
  const calls: (() => void)[] = []
  const recorded =
    <Input extends readonly unknown[], Output>(call: (...input: Input) => Output) =>
    (...input: Input): Output => {
      calls.push(() => call(...input))
      return call(...input)
    }
  return {
    calls,
    lib: {
      ...lib,
      freeNumber: () => {},
      multiply: recorded(lib.multiply),
      multiplyWords: lib.multiplyWords && recorded(lib.multiplyWords),
      multiplyDigits: new Map(
        [...lib.multiplyDigits].map(([digits, multiply]) => [digits, recorded(multiply)] as const),
      ),
      toMontgomery: recorded(lib.toMontgomery),
      fromMontgomery: recorded(lib.fromMontgomery),
      power: recorded(lib.power),
      secretPower: recorded(lib.secretPower),
      secretPowers: recorded(lib.secretPowers),
      inverse: recorded(lib.inverse),
    },
  }
}

export type Comparison = {
  /** CPU of one piece of work, and of its OpenSSL calls alone */
  readonly ms: number
  readonly bareMs: number
  readonly calls: number
  readonly ratio: number
}

/** Runs both one after another in each round, so that other load of the machine affects both.
 *  @param work.pieces number of pieces that one call of `run` does, and whose calls `calls` contains */
export function compare(
  work: { readonly run: () => void; readonly calls: readonly (() => void)[]; readonly pieces: number },
  {
    rounds,
    timesPerRound,
    warmUp,
  }: { readonly rounds: number; readonly timesPerRound: number; readonly warmUp: number },
): Comparison {
  const { run, calls, pieces } = work
  const bare = (): void => {
    for (const call of calls) call()
  }
  cpuMs(warmUp, run)
  cpuMs(warmUp, bare)
  const measured = Array.from({ length: rounds }, () => ({
    run: cpuMs(timesPerRound, run) / pieces,
    bare: cpuMs(timesPerRound, bare) / pieces,
  }))
  return {
    ms: rounded(median(measured.map(each => each.run))),
    bareMs: rounded(median(measured.map(each => each.bare))),
    calls: calls.length / pieces,
    ratio: rounded(median(measured.map(each => each.run / each.bare))),
  }
}

/** Number of runs before the recording. After these runs, everything that is kept between calls exists, all rows of the tables included. */
const TIMES_UNTIL_KEPT = 40

/** Keeps these objects referenced: recorded calls contain addresses in their memory, which would otherwise be freed. */
const kept: Arithmetic[] = []

/** Measures work with OpenSSL's arithmetic.
 *  @param beside OpenSSL calls that the work makes through Node */
export function measured(
  work: (arithmetic: Arithmetic) => void,
  {
    rounds,
    pieces = 1,
    beside = [],
  }: { readonly rounds: number; readonly pieces?: number; readonly beside?: readonly (() => void)[] },
): Comparison {
  const lib = loadLibcrypto()
  const { lib: recorder, calls } = recording(lib)
  const arithmetic = opensslArithmetic(lib)
  const recorded = opensslArithmetic(recorder)
  kept.push(recorded)
  for (let i = 0; i < TIMES_UNTIL_KEPT; i++) work(recorded)
  calls.length = 0
  work(recorded)
  const run = (): void => work(arithmetic)
  return compare(
    { run, calls: [...calls, ...beside], pieces },
    { rounds, timesPerRound: 5, warmUp: 300 / pieces },
  )
}
