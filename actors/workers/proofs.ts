/** What a worker thread does: check the proofs of one message. @module */
import { workerData } from 'node:worker_threads'
import type { SharedKey } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type DisclosureMessage, type ProofToVerify, verifyDisclosures } from '../../crypto/disclosure.ts'

export type ProofTask = Omit<DisclosureMessage, 'proofs'> & {
  readonly proofs: readonly (Omit<ProofToVerify, 'key'> & { readonly key: SharedKey })[]
}

const arithmetic = chooseArithmetic(workerData)

export default function verify({ proofs, ...message }: ProofTask): boolean {
  const adopted = proofs.map(({ key, ...proof }) => ({ ...proof, key: arithmetic.adopt(key) }))
  return verifyDisclosures(arithmetic, { ...message, proofs: adopted })
}
