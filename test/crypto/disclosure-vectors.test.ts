import * as assert from 'uvu/assert'
import type { ProofList } from '../../crypto/proof-list.ts'
import { suite } from '../suite.ts'
import { change, isValid, withEntry } from './proofs.ts'
import { type RecordedCommitment, type RecordedProof, readMessage, readVectors } from './vectors.ts'

type RecordedDisclosure = {
  readonly attributes: readonly string[]
  readonly key: string
  readonly disclosed: readonly number[]
  readonly cases: readonly {
    readonly case: string
    readonly expected: 'valid' | 'refused'
    readonly proof: RecordedProof
    readonly context: string
    readonly nonce: string
    readonly signatureSession: boolean
  }[]
}
type RecordedMessage = {
  readonly context: string
  readonly nonce: string
  readonly keys: readonly string[]
  readonly proofs: readonly (RecordedProof | RecordedCommitment)[]
  readonly revocationIndex?: number
  readonly groups?: readonly string[]
}

const Recorded = suite('disclosure proofs recorded from an existing implementation, 1.3.0')

/** spec/cryptography#16 row 1: from a valid proof, each hidden attribute is also disclosed with an arbitrary value. */
function forgeries(valid: ProofList): ProofList[] {
  const hidden = [...(valid.disclosures[0]?.proof.aResponses.keys() ?? [])].filter(index => index !== 0)
  return hidden.map(index =>
    change(valid, ({ aDisclosed, aResponses, c }) => {
      const response = aResponses.get(index) ?? 0n
      const value = response / c / 2n
      return {
        aDisclosed: withEntry(aDisclosed, index, value),
        aResponses: withEntry(aResponses, index, response - c * value),
      }
    }),
  )
}

for (const file of ['disclosure-svc-demo.fast-0', 'disclosure-svc-demo.gov-0']) {
  const { disclosures } = readVectors<{ disclosures: RecordedDisclosure[] }>(`crypto/${file}.json`)
  for (const { attributes, key, disclosed, cases } of disclosures)
    for (const { case: title, expected, proof, context, nonce, signatureSession } of cases)
      Recorded(`${key}, disclosing ${disclosed}: ${title}: ${expected}`, () => {
        const recorded = { proofs: [proof], keys: [key], attributeCount: attributes.length - 2 }
        const read = readMessage({ ...recorded, context, nonce, isSignature: signatureSession })
        assert.is(isValid(read), expected === 'valid')
        if (read && title === 'unchanged')
          for (const forged of forgeries(read)) assert.not.ok(isValid(forged))
      })
}

type Linked = RecordedMessage & {
  readonly case: string
  readonly labels: readonly string[] | null
  readonly expected: string
}
for (const linked of readVectors<{ cases: Linked[] }>('crypto/linked-proofs.json').cases) {
  Recorded(`list of proofs: ${linked.case}: ${linked.expected}`, () => {
    const { proofs, keys, labels, context, nonce } = linked
    const read = readMessage({
      proofs,
      keys: keys ?? [],
      groups: labels ?? [],
      context,
      nonce,
      isSignature: false,
    })
    assert.is(isValid(read), linked.expected === 'valid')
  })
}

type Extra = {
  readonly case: string
  readonly check: number
  readonly key: string
  readonly revocationIndex?: number
  readonly proof?: RecordedProof
  readonly context: string
  readonly nonce: string
}
for (const { case: title, key, proof, context, nonce, revocationIndex = null } of readVectors<{
  cases: Extra[]
}>('crypto/extra-checks.json').cases) {
  if (proof === undefined) continue // a commitment, which belongs to issuance
  Recorded(`${key}: ${title}: refused`, () => {
    const recorded = { proofs: [proof], keys: [key], context, nonce, isSignature: false }
    assert.not.ok(isValid(readMessage({ ...recorded, revocationIndex })))
    // it refers to attribute 4: the equations hold, and only the check of the index refuses it
    assert.ok(isValid(readMessage({ ...recorded, revocationIndex: 4 })))
  })
}

type Note = {
  readonly disclosure: Readonly<Record<string, RecordedMessage>>
  readonly signature: Readonly<Record<string, NoteSignature>>
  readonly keyshare: {
    readonly disclosureLegacy: Challenge & { key: string; proofsMerged: RecordedProof[] }
    readonly disclosureHashCommitment: Challenge & { keys: string[]; proofsMerged: RecordedProof[] }
  }
}
type NoteSignature = {
  readonly keys: readonly string[]
  readonly effectiveNonce: string
  readonly signedMessage: { readonly context: string; readonly signature: readonly RecordedProof[] }
}
type NamedMessage = RecordedMessage & {
  readonly name: string
  readonly isSignature: boolean
}
type Challenge = { readonly context: string; readonly nonce: string }

const { disclosure, signature, keyshare } = readVectors<Note>('cryptography-vectors.json')
const { disclosureLegacy: legacy, disclosureHashCommitment } = keyshare
/** The position of the revocation attribute in all credentials of these messages that can be revoked. */
const revocationIndex = 3
// left out: messages with proofs of a range
const disclosures = Object.entries(disclosure).filter(([name]) => !name.startsWith('range'))
const messages: readonly NamedMessage[] = [
  ...disclosures.map(([name, recorded]) => ({ name, ...recorded, isSignature: false, revocationIndex })),
  ...Object.entries(signature).map(([name, { keys, effectiveNonce: nonce, signedMessage }]) => {
    return {
      name,
      keys,
      nonce,
      context: signedMessage.context,
      proofs: signedMessage.signature,
      isSignature: true,
    }
  }),
  {
    name: 'keyshare, legacy',
    ...legacy,
    keys: [legacy.key],
    proofs: legacy.proofsMerged,
    isSignature: false,
  },
  {
    name: 'keyshare, hash commitment',
    groups: ['a keyshare server', '.'],
    ...disclosureHashCommitment,
    proofs: disclosureHashCommitment.proofsMerged,
    isSignature: false,
    revocationIndex,
  },
]
for (const recorded of messages)
  Recorded(
    `${recorded.name} of the specification is valid, and no hidden attribute of it can be forged`,
    () => {
      const read = readMessage(recorded)
      assert.ok(read && isValid(read))
      for (const forged of forgeries(read)) assert.not.ok(isValid(forged))
      assert.not.ok(isValid({ ...read, isSignature: !read.isSignature }))
    },
  )
Recorded('all ten messages of the specification were tested', () => {
  assert.is(messages.length, 10)
})
Recorded.run()
