import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { isValid } from './proofs.ts'
import { type RecordedProof, readMessage, readVectors } from './vectors.ts'

type Recorded = {
  readonly key: string
  readonly proofs: readonly {
    readonly label: string
    readonly context: string
    readonly nonce: string
    readonly revocationIndex: number
    readonly cases: readonly {
      readonly case: string
      readonly expected: 'valid' | 'refused'
      readonly proof: RecordedProof
    }[]
  }[]
}

const Recorded = suite('proofs of non-revocation recorded from an existing implementation, 1.3.0')

for (const name of ['fast-0', 'gov-0']) {
  const { key, proofs } = readVectors<Recorded>(`crypto/nonrevocation-svc-demo.${name}.json`)
  for (const { label, cases, ...facts } of proofs)
    for (const { case: title, expected, proof } of cases)
      Recorded(`${key}, ${label}: ${title}: ${expected}`, () => {
        const message = readMessage({ ...facts, proofs: [proof], keys: [key], isSignature: false })
        assert.is(isValid(message), expected === 'valid')
      })
}
Recorded.run()
