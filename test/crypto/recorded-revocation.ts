/** Recorded accumulators, updates and witnesses, for the tests of revocation. @module */
import type { JsonValue } from '../../protocol/json.ts'
import { readUpdate, readWitness } from '../../protocol/revocation-json.ts'
import { readVectors } from './vectors.ts'

type Recorded = {
  readonly key: string
  readonly accumulator: {
    readonly nu: string
    readonly index: number
    readonly time: number
    readonly eventHashHex: string
  }
  readonly initialUpdate: JsonValue
  readonly initialUpdateCborHex: string
  readonly updateAfterThree: JsonValue
  readonly updateAfterThreeCborHex: string
  readonly updateLastTwoEvents: JsonValue
  readonly updateRevokingTheWitness: JsonValue
  readonly witness: JsonValue
  readonly witnessAfterUpdate: JsonValue
}

export const RECORDED = ['fast-0', 'gov-0'].map(name => {
  const recorded = readVectors<Recorded>(`crypto/nonrevocation-svc-demo.${name}.json`)
  return {
    key: recorded.key,
    accumulator: recorded.accumulator,
    initial: readUpdate(recorded.initialUpdate, 'update'),
    initialJson: recorded.initialUpdate,
    initialCbor: Buffer.from(recorded.initialUpdateCborHex, 'hex'),
    afterThree: readUpdate(recorded.updateAfterThree, 'update'),
    afterThreeJson: recorded.updateAfterThree,
    afterThreeCbor: Buffer.from(recorded.updateAfterThreeCborHex, 'hex'),
    lastTwo: readUpdate(recorded.updateLastTwoEvents, 'update'),
    revoking: readUpdate(recorded.updateRevokingTheWitness, 'update'),
    witness: readWitness(recorded.witness, 'witness'),
    witnessAfterUpdate: readWitness(recorded.witnessAfterUpdate, 'witness'),
  }
})

export function recordedOf(id: string): (typeof RECORDED)[number] {
  const recorded = RECORDED.find(({ key }) => key === id)
  if (recorded === undefined) throw new Error(`vectors: expected revocation data of ${id}`)
  return recorded
}
