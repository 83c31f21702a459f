/** Proofs are checked in worker threads, so that proof work never blocks the event loop. The threads share the tables of the issuer
 *  keys, which this thread owns. @module */
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Piscina } from 'piscina'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import type { IssuerPublicKey } from '../../crypto/public-key.ts'
import type { ProofTask } from './proofs.ts'

export interface ProofPool {
  /** Whether all proofs of a message are right; as `verifyProofs`. Waits in the queue however long that is: a submission of a
   *  connected session is never refused for overload (D16).
   *  @throws if the thread dies; the others go on, and a new one takes its place */
  verify(list: ProofList): Promise<boolean>
  /** Past this, no new session is begun and none is connected (D16). */
  isOverloaded(): boolean
  readonly arithmetic: Arithmetic['name']
  /** Ends the threads; what is being checked is rejected. */
  close(): Promise<void>
}

export type ProofPoolOptions = {
  readonly arithmetic: 'auto' | 'openssl' | 'bigint'
  /** default: one per core */
  readonly threads?: number
  /** proofs that are waiting or being checked when the pool begins to count as overloaded */
  readonly maxProofs?: number
}

/** Under a 4096-bit key these take two threads some eight seconds: submissions are told of their outcome within 15. */
const DEFAULT_MAX_PROOFS = 1_000

/** @throws {Error} if the arithmetic is not to be had */
export function createProofPool({
  arithmetic: wanted,
  threads = availableParallelism(),
  maxProofs = DEFAULT_MAX_PROOFS,
}: ProofPoolOptions): ProofPool {
  const arithmetic = chooseArithmetic(wanted)
  const pool = new Piscina<ProofTask, boolean>({
    // sources run unbuilt too, and then end otherwise
    filename: new URL(`./proofs${extname(import.meta.url)}`, import.meta.url).href,
    workerData: arithmetic.name,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    maxQueue: Number.POSITIVE_INFINITY, // bounded by what is admitted: sessions, and one claim of each
  })
  let proofsInside = 0
  return {
    arithmetic: arithmetic.name,
    async verify({ disclosures, commitments, ...list }) {
      const share = <T extends { readonly key: IssuerPublicKey }>(each: T) => ({
        ...each,
        key: arithmetic.share(each.key),
      })
      const shared = { disclosures: disclosures.map(share), commitments: commitments.map(share) }
      const count = disclosures.length + commitments.length
      proofsInside += count
      try {
        return await pool.run({ ...list, ...shared })
      } finally {
        proofsInside -= count
      }
    },
    isOverloaded: () => proofsInside >= maxProofs,
    close: () => pool.destroy(),
  }
}
