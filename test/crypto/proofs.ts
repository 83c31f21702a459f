/** A demo wallet's credentials and proofs, and ways to change a proof, for the tests of this folder. @module */
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { bigintArithmetic } from '../../crypto/bignum/bigint.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import {
  createDisclosures,
  type DisclosureInput,
  type DisclosureMessage,
  type DisclosureProof,
  type OwnedCredential,
  type ProofToVerify,
  verifyDisclosures,
} from '../../crypto/disclosure.ts'
import { signAttributes } from '../../crypto/signature.ts'
import { keyOf } from './vectors.ts'

export const openssl = chooseArithmetic('openssl')

/** Both backends have to say the same. */
export function isValid(message: DisclosureMessage | undefined): boolean {
  if (message === undefined) return false
  const [first, second] = [openssl, bigintArithmetic].map(each => verifyDisclosures(each, message))
  assert.is(first, second, 'openssl and bigint')
  return first === true
}

export const SECRET_KEY = 2n ** 254n + 12345n
export const SIZES = ['svc-demo.fast-0', 'svc-demo.gov-0', 'scheme.issuerD-3']
/** metadata, a short, a long (hashed), an absent and an empty attribute */
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

export function disclose(
  choices: readonly (readonly [id: string, ...disclosed: number[]])[],
  input: Partial<DisclosureInput> = {},
): DisclosureMessage {
  const credentials = choices.map(([id, ...disclosed]) => ({ credential: credentialOf(id), disclosed }))
  const whole = { credentials, secretKey: SECRET_KEY, ...CHALLENGE, ...input }
  const proofs = createDisclosures(openssl, whole, randomBytes).map((proof, i) => {
    const { key, attributes } = credentialOf(choices[i]?.[0] ?? '')
    return { proof, key, group: '.', attributeCount: attributes.length - 1 }
  })
  return { context: whole.context, nonce: whole.nonce, isSignature: whole.isSignature, proofs }
}

/** The message with its first proof changed. */
export function change(
  message: DisclosureMessage,
  part: (proof: DisclosureProof) => Partial<DisclosureProof>,
): DisclosureMessage {
  return changeFirst(message, each => ({ ...each, proof: { ...each.proof, ...part(each.proof) } }))
}
export function changeFirst(
  message: DisclosureMessage,
  by: (first: ProofToVerify) => ProofToVerify,
): DisclosureMessage {
  return { ...message, proofs: message.proofs.map((each, i) => (i === 0 ? by(each) : each)) }
}
export const withEntry = (
  map: ReadonlyMap<number, bigint>,
  index: number,
  value: bigint,
): ReadonlyMap<number, bigint> => new Map([...map, [index, value]])
export function without(map: ReadonlyMap<number, bigint>, index: number): ReadonlyMap<number, bigint> {
  return new Map([...map].filter(([i]) => i !== index))
}
