/** Credentials and proofs of a demo wallet, and ways to change a proof, for the tests of this folder. @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Arithmetic } from '../../crypto/bignum/arithmetic.ts'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import type { CommitmentProof, CommitmentSecrets } from '../../crypto/commitment.ts'
import type {
  DisclosureChoice,
  DisclosureProof,
  OwnedCredential,
  ProofToVerify,
} from '../../crypto/disclosure.ts'
import { draftProofs, type ProofDrafts, type ProofList, verifyProofs } from '../../crypto/proof-list.ts'
import type { RandomBytes } from '../../crypto/random.ts'
import { signAttributes } from '../../libraries/testing/sign-attributes.ts'
import { keyOf } from './vectors.ts'

export const openssl = chooseArithmetic('openssl')

/** Both backends must agree. */
export function isValid(message: ProofList | undefined): boolean {
  if (message === undefined) return false
  const [first, second] = [openssl, bigintArithmetic].map(each => verifyProofs(each, message))
  assert.is(first, second, 'openssl and bigint')
  return first === true
}

export const SECRET_KEY = 2n ** 254n + 12345n
export const SIZES = ['svc-demo.fast-0', 'svc-demo.gov-0', 'scheme.issuerD-3']
/** The attributes of every credential here: metadata, a short, a long (hashed), an absent and an empty one. */
export const ATTRIBUTES = [2n ** 185n + 3n, 2n ** 90n + 1n, 2n ** 900n + 1n, 0n, 1n]

const wallets = new Map<string, OwnedCredential>()
export function credentialOf(id: string): OwnedCredential {
  const { publicKey: key, privateKey } = keyOf(id)
  const attributes = ATTRIBUTES.slice(0, key.R.length - 1)
  const input = { key, privateKey, secretKey: SECRET_KEY, attributes }
  const credential = wallets.get(id) ?? {
    signature: signAttributes(openssl, input, randomBytes),
    attributes,
    key,
  }
  wallets.set(id, credential)
  return credential
}

export const CHALLENGE = { context: 1n, nonce: 2n ** 127n + 5n, isSignature: false }

type Options = {
  readonly secretKey?: bigint
  readonly arithmetic?: Arithmetic
  readonly source?: RandomBytes
}

/** Disclosures that answer CHALLENGE. */
export function createProofs(
  disclosures: readonly DisclosureChoice[],
  { secretKey = SECRET_KEY, arithmetic = openssl, source = randomBytes }: Options = {},
): readonly DisclosureProof[] {
  const { nonce, ...facts } = CHALLENGE
  const drafts = draftProofs(arithmetic, { disclosures, commitments: [], secretKey, ...facts }, source)
  return drafts.finish(nonce).disclosures
}

export function disclose(choices: readonly (readonly [id: string, ...disclosed: number[]])[]): ProofList {
  const chosen = choices.map(([id, ...disclosed]) => ({ credential: credentialOf(id), disclosed }))
  const disclosures = createProofs(chosen).map((proof, i) => {
    const { key, attributes } = credentialOf(choices[i]?.[0] ?? '')
    return { proof, key, group: '.', attributeCount: attributes.length - 1, revocationIndex: null }
  })
  return { ...CHALLENGE, disclosures, commitments: [] }
}

/** The answer of drafts to CHALLENGE, under the keys of their disclosures and commitments; no attribute is random blind. */
export function proveTo(
  drafts: ProofDrafts,
  disclosed: readonly string[],
  committed: readonly string[],
): ProofList {
  const made = drafts.finish(CHALLENGE.nonce)
  const facts = (id = '') => ({ key: keyOf(id).publicKey, group: '.' })
  const disclosures = made.disclosures.map((proof, i) => {
    const attributeCount = credentialOf(disclosed[i] ?? '').attributes.length - 1
    return { proof, ...facts(disclosed[i]), attributeCount, revocationIndex: null }
  })
  const commitments = made.commitments.map(({ proof }, i) => ({
    proof,
    ...facts(committed[i]),
    randomBlind: [],
  }))
  return { ...CHALLENGE, disclosures, commitments }
}

/** One commitment that answers CHALLENGE. */
export function commit(
  id: string,
  randomBlind: readonly number[],
  { secretKey = SECRET_KEY, arithmetic = openssl, source = randomBytes }: Options = {},
): { readonly list: ProofList; readonly secrets: CommitmentSecrets } {
  const { publicKey: key } = keyOf(id)
  const { nonce, ...facts } = CHALLENGE
  const input = { disclosures: [], commitments: [{ key, randomBlind }], secretKey, ...facts }
  const [made] = draftProofs(arithmetic, input, source).finish(nonce).commitments
  if (made === undefined) throw new Error('expected one commitment')
  const commitments = [{ proof: made.proof, key, group: '.', randomBlind }]
  return { list: { ...CHALLENGE, disclosures: [], commitments }, secrets: made.secrets }
}

/** The list with every commitment changed. */
export function changeCommitment(
  list: ProofList,
  part: (proof: CommitmentProof) => Partial<CommitmentProof>,
): ProofList {
  const commitments = list.commitments.map(each => ({
    ...each,
    proof: { ...each.proof, ...part(each.proof) },
  }))
  return { ...list, commitments }
}

/** The message with its first proof changed. */
export function change(
  message: ProofList,
  part: (proof: DisclosureProof) => Partial<DisclosureProof>,
): ProofList {
  return changeFirst(message, each => ({ ...each, proof: { ...each.proof, ...part(each.proof) } }))
}
export function changeFirst(message: ProofList, by: (first: ProofToVerify) => ProofToVerify): ProofList {
  return { ...message, disclosures: message.disclosures.map((each, i) => (i === 0 ? by(each) : each)) }
}
export const withEntry = (
  map: ReadonlyMap<number, bigint>,
  index: number,
  value: bigint,
): ReadonlyMap<number, bigint> => new Map([...map, [index, value]])
export function without(map: ReadonlyMap<number, bigint>, index: number): ReadonlyMap<number, bigint> {
  return new Map([...map].filter(([i]) => i !== index))
}
