/** Finds the two safe primes of an issuer key, with one worker thread per core. @module */
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Threads } from '../../actors/workers/threads.ts'
import type { Halves } from '../../crypto/bignum/arithmetic.ts'
import type { RestOfEight, SafePrimeSearch } from '../../crypto/safe-prime.ts'

/** Number of primes found, number of candidates tested so far, and whether this call reports a new prime. */
export type Progress = (found: number, tested: number, isNew: boolean) => void

export type SearchTask = { readonly bits: number; readonly rest: RestOfEight }

/** @param bits of each prime; their remainders modulo 8 differ */
export async function findSafePrimes(bits: number, progress: Progress): Promise<Halves> {
  const most = availableParallelism()
  const file = new URL(`./search${extname(import.meta.url)}`, import.meta.url) // the file extension is .ts without a build, otherwise .js
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const threads = new Threads({ file, workerData: stop, most })
  try {
    return await searchWith(most, task => threads.run(task, null), { bits, progress })
  } finally {
    Atomics.store(stop, 0, 1) // a search can take minutes, and a thread ends after its task
    await threads.close()
  }
}

type Search = (task: SearchTask) => Promise<SafePrimeSearch>

/** Each lane searches for a missing prime. The lane that finds the second one ends the race; the caller ends the searches of the others. */
function searchWith(
  lanes: number,
  search: Search,
  { bits, progress }: { readonly bits: number; readonly progress: Progress },
): Promise<Halves> {
  const found = new Map<RestOfEight, bigint>()
  let tested = 0
  const look = async (preferred: RestOfEight): Promise<Halves> => {
    for (;;) {
      const rest = found.has(preferred) ? otherThan(preferred) : preferred
      const result = await search({ bits, rest })
      const isNew = result.p !== null && !found.has(rest)
      if (isNew && result.p !== null) found.set(rest, result.p)
      tested += result.tested
      progress(found.size, tested, isNew)
      const [p, q] = [found.get(3), found.get(7)]
      if (p !== undefined && q !== undefined) return { p, q }
    }
  }
  return Promise.race(Array.from({ length: lanes }, (_, lane) => look(lane % 2 === 0 ? 3 : 7)))
}

function otherThan(rest: RestOfEight): RestOfEight {
  return rest === 3 ? 7 : 3
}
