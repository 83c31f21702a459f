/** A thread that gets a shared key with a message, and reports whether the message is valid, for the tests of shared tables. @module */
import { parentPort, workerData } from 'node:worker_threads'
import type { SharedKey } from '../../crypto/bignum/arithmetic.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { type ProofList, verifyProofs } from '../../crypto/proof-list.ts'

export type ThreadInput = {
  readonly shared: SharedKey
  readonly message: ProofList
  readonly times: number
}

const { shared, message, times } = workerData as ThreadInput // passed by the test
const arithmetic = chooseArithmetic('openssl')
const answers = Array.from({ length: times }, () => {
  const key = arithmetic.adopt(shared)
  const disclosures = message.disclosures.map(each => ({ ...each, key }))
  return verifyProofs(arithmetic, { ...message, disclosures })
})
parentPort?.postMessage(answers)
