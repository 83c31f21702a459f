/** One pool of proofs for all servers of a test process. A thread of its own for each server costs 0.3 s of CPU. @module */
import { createProofPool, type ProofPool } from '../../actors/workers/proof-pool.ts'

let pool: ProofPool | null = null

/** The pool, which starts with the first call. Its thread ends with the process. It keeps no spare primes, so that it works only when asked. */
export function sharedPool(): ProofPool {
  pool ??= createProofPool({ arithmetic: 'auto', threads: 1, sparePrimes: 0 })
  return pool
}
