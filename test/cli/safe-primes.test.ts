/** The search for the safe primes of an issuer key, in real threads. @module */
import * as assert from 'uvu/assert'
import { Threads } from '../../actors/workers/threads.ts'
import { findSafePrimes, type SearchTask } from '../../cli/issuer/safe-primes.ts'
import type { SafePrimeSearch } from '../../crypto/safe-prime.ts'
import { inTime } from '../patience.ts'
import { suite } from '../suite.ts'

const SEARCH = new URL(`../../cli/issuer/search${import.meta.url.slice(-3)}`, import.meta.url)

const Primes = suite('safe primes of an issuer key')

Primes('both primes come from threads, and each is reported once', async () => {
  const reported: number[] = []
  const progress = (found: number, _tested: number, isNew: boolean) => isNew && reported.push(found)
  const { p, q } = await inTime(findSafePrimes(256, progress), 'two safe primes')
  assert.equal([p % 8n, q % 8n, p >> 254n, q >> 254n], [3n, 7n, 3n, 3n])
  assert.equal(reported, [1, 2])
})

Primes('a thread ends its search when the shared number becomes 1', async () => {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const threads = new Threads({ file: SEARCH, workerData: stop, most: 1 })
  const task: SearchTask = { bits: 32_768, rest: 3 } // one candidate takes seconds, and a search hours
  const answer = threads.run<SafePrimeSearch>(task, null)
  Atomics.store(stop, 0, 1)
  assert.is((await inTime(answer, 'the end of the search')).p, null)
  await inTime(threads.close(), 'the end of the thread')
})

Primes.run()
