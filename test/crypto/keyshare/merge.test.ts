import * as assert from 'uvu/assert'
import { fromBase64 } from '../../../crypto/bytes.ts'
import {
  type KeyshareProof,
  mergeIntoCommitment,
  mergeIntoDisclosure,
} from '../../../crypto/keyshare/merge.ts'
import { suite } from '../../suite.ts'
import { isValid, without } from '../proofs.ts'
import {
  keyOf,
  type RecordedCommitment,
  type RecordedProof,
  readCommitment,
  readMessage,
  readProof,
  readVectors,
} from '../vectors.ts'

type ProofP = { readonly P?: string; readonly c: string; readonly s_response: string }
type Case = {
  readonly kind: string
  readonly key: string
  readonly context: string
  readonly nonce: string
  readonly proofP: ProofP
  readonly proofSent?: RecordedCommitment
  readonly proofUnmerged?: RecordedProof
  readonly proofMerged: RecordedCommitment | RecordedProof
  readonly expectedMerged: string
  readonly expectedUnmerged?: string
}

const Merging = suite('merging of a keyshare server’s part into proofs (spec/cryptography#11.4)')

function readProofP({ P, c, s_response }: ProofP): KeyshareProof {
  return {
    P: P === undefined ? null : fromBase64(P),
    c: fromBase64(c),
    sResponse: fromBase64(s_response),
  }
}

function isRight({ key, context, nonce }: Case, proof: RecordedCommitment | RecordedProof): boolean {
  return isValid(readMessage({ proofs: [proof], keys: [key], context, nonce, isSignature: false }))
}

for (const recorded of readVectors<{ cases: Case[] }>('crypto/keyshare-merging.json').cases) {
  const { kind, key, proofSent, proofUnmerged, proofMerged } = recorded
  const keyshare = readProofP(recorded.proofP)
  Merging(
    `${key}, ${kind}: the merged proof is the recorded one, and valid; the one that was sent is not`,
    () => {
      if (proofSent) {
        const sent = readCommitment(proofSent)
        assert.ok(sent)
        const merged = mergeIntoCommitment(sent, keyshare, keyOf(key).publicKey.n)
        assert.equal(merged, readCommitment(proofMerged))
      } else {
        const sent = proofUnmerged && readProof(proofUnmerged)
        assert.ok(sent)
        assert.equal(
          mergeIntoDisclosure(sent, keyshare),
          'a_disclosed' in proofMerged && readProof(proofMerged),
        )
      }
      assert.is(isRight(recorded, proofMerged), recorded.expectedMerged === 'valid')
      const sent = proofSent ?? proofUnmerged
      if (sent && recorded.expectedUnmerged) assert.not.ok(isRight(recorded, sent))
    },
  )
}

type Note = {
  readonly keyshare: {
    readonly issuanceLegacy: {
      readonly ProofP: ProofP
      readonly key: string
      readonly context: string
      readonly nonce: string
      readonly proofsAsSent: readonly RecordedCommitment[]
      readonly proofsMerged: readonly RecordedCommitment[]
    }
    readonly disclosureLegacy: {
      readonly ProofP: ProofP
      readonly proofsUnmerged: readonly RecordedProof[]
      readonly proofsMerged: readonly RecordedProof[]
    }
  }
}
const { issuanceLegacy, disclosureLegacy } = readVectors<Note>('cryptography-vectors.json').keyshare

Merging('the commitment of the specification: sent, merged, valid', () => {
  const { key, context, nonce, proofsAsSent, proofsMerged, ProofP } = issuanceLegacy
  const [sent] = proofsAsSent.map(readCommitment)
  assert.ok(sent)
  const merged = mergeIntoCommitment(sent, readProofP(ProofP), keyOf(key).publicKey.n)
  assert.equal([merged], proofsMerged.map(readCommitment))
  const message = { keys: [key], context, nonce, isSignature: false }
  assert.ok(isValid(readMessage({ ...message, proofs: proofsMerged })))
  assert.not.ok(isValid(readMessage({ ...message, proofs: proofsAsSent })))
})
Merging('a U beyond the modulus is not brought back into range', () => {
  const [sent] = issuanceLegacy.proofsAsSent.map(readCommitment)
  assert.ok(sent)
  const { n } = keyOf(issuanceLegacy.key).publicKey
  const merged = mergeIntoCommitment({ ...sent, U: sent.U + n }, readProofP(issuanceLegacy.ProofP), n)
  assert.ok(merged.U >= n)
})
Merging('the disclosure of the specification', () => {
  const { proofsUnmerged, proofsMerged, ProofP } = disclosureLegacy
  const [sent] = proofsUnmerged.map(readProof)
  assert.ok(sent)
  assert.equal([mergeIntoDisclosure(sent, readProofP(ProofP))], proofsMerged.map(readProof))
})
Merging('a disclosure without a response for the secret key does not get one by adding', () => {
  const [sent] = disclosureLegacy.proofsUnmerged.map(readProof)
  assert.ok(sent)
  const lacking = { ...sent, aResponses: without(sent.aResponses, 0) }
  assert.equal(mergeIntoDisclosure(lacking, readProofP(disclosureLegacy.ProofP)), lacking)
})
Merging.run()
