/** What a worker thread does: check the proofs of one message. @module */
import { workerData } from 'node:worker_threads'
import type { SharedKey } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type ProofList, verifyProofs } from '../../crypto/proof-list.ts'

type Shared<T> = Omit<T, 'key'> & { readonly key: SharedKey }
export type ProofTask = Omit<ProofList, 'disclosures' | 'commitments'> & {
  readonly disclosures: readonly Shared<ProofList['disclosures'][number]>[]
  readonly commitments: readonly Shared<ProofList['commitments'][number]>[]
}

const arithmetic = chooseArithmetic(workerData)

export default function verify({ disclosures, commitments, ...list }: ProofTask): boolean {
  const adopt = <T extends { readonly key: SharedKey }>(each: T) => ({
    ...each,
    key: arithmetic.adopt(each.key),
  })
  return verifyProofs(arithmetic, {
    ...list,
    disclosures: disclosures.map(adopt),
    commitments: commitments.map(adopt),
  })
}
