/** Task of a worker thread: searches for a safe prime in a limited number of candidates. @module */
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type SafePrimeSearch, searchSafePrime } from '../../crypto/safe-prime.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import type { SearchTask } from './safe-primes.ts'

export default function search(task: SearchTask): SafePrimeSearch {
  return searchSafePrime(chooseArithmetic('auto'), task, systemRandomness.bytes)
}
