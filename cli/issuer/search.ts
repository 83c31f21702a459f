/** Task of a worker thread: searches for a safe prime in a limited number of candidates. @module */
import { workerData } from 'node:worker_threads'
import { answerTasks } from '../../actors/workers/answer-tasks.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { searchSafePrime } from '../../crypto/safe-prime.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import type { SearchTask } from './safe-primes.ts'

/** Shared by all threads; its number becomes 1 when no search is needed any more. */
const stop: Int32Array = workerData
const isNeeded = (): boolean => Atomics.load(stop, 0) === 0

answerTasks<SearchTask>(task =>
  searchSafePrime(chooseArithmetic('auto'), { ...task, isNeeded }, systemRandomness.bytes),
)
