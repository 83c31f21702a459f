/** Reads the recorded numbers of test/vectors for the tests of this folder. @module */
import { fromBase64 } from '../../crypto/bytes.ts'
import type { CommitmentProof } from '../../crypto/commitment.ts'
import type { DisclosureProof } from '../../crypto/disclosure.ts'
import type { ProofList } from '../../crypto/proof-list.ts'
import type { IssuerPrivateKey, IssuerPublicKey } from '../../crypto/public-key.ts'
import type { NonRevocationProof } from '../../crypto/revocation/proof.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { readNonRevocation } from '../../protocol/revocation-json.ts'
import { ShapeError } from '../../protocol/shape.ts'
import { readVector } from '../project.ts'

/** The value of a JSON file below test/vectors. The caller states its type, because the tests own the file. */
export function readVectors<T>(file: string): T {
  return readVector(file) as T
}

export type Numbers = Readonly<Record<string, string>>

type RecordedKey = {
  readonly id: string
  readonly bits: number
  readonly counter: number
  readonly expiry: number
  readonly parameters: Readonly<Record<string, number>>
  readonly public: {
    readonly n: string
    readonly Z: string
    readonly S: string
    readonly R: readonly string[]
    readonly G?: string
    readonly H?: string
    readonly ecdsa?: string
  }
  readonly private: Numbers
}

export type KeyPair = {
  readonly id: string
  readonly publicKey: IssuerPublicKey
  readonly privateKey: IssuerPrivateKey
  readonly parameters?: Readonly<Record<string, number>>
}

function number(numbers: Numbers, name: string): bigint {
  const text = numbers[name]
  if (text === undefined) throw new Error(`vectors: expected a member ${name}`)
  return fromBase64(text)
}

function keyPair(recorded: RecordedKey): KeyPair {
  const dates = { counter: recorded.counter, expiresAtSec: recorded.expiry }
  const { n, Z, S, R, G, H, ecdsa } = recorded.public
  const secret = (name: string): bigint => number(recorded.private, name)
  return {
    id: recorded.id,
    parameters: recorded.parameters,
    publicKey: {
      ...dates,
      n: fromBase64(n),
      Z: fromBase64(Z),
      S: fromBase64(S),
      R: R.map(fromBase64),
      ...(G && H && ecdsa && { revocation: { G: fromBase64(G), H: fromBase64(H), ecdsa } }),
    },
    privateKey: {
      ...dates,
      p: secret('p'),
      q: secret('q'),
      pPrime: secret('pPrime'),
      qPrime: secret('qPrime'),
      ...(recorded.private.ecdsa && { ecdsa: recorded.private.ecdsa }),
    },
  }
}

function fromXml(id: string, publicXml: string, privateXml: string): KeyPair {
  const read = (xml: string, tag: string): bigint =>
    BigInt(new RegExp(`<${tag}>(\\d+)</${tag}>`).exec(xml)?.[1] ?? 'missing')
  const dates = (xml: string) => ({
    counter: Number(read(xml, 'Counter')),
    expiresAtSec: Number(read(xml, 'ExpiryDate')),
  })
  const R = [...publicXml.matchAll(/<Base_\d+>(\d+)</g)].map(match => BigInt(match[1] ?? 'missing'))
  const elements = { n: read(publicXml, 'n'), Z: read(publicXml, 'Z'), S: read(publicXml, 'S'), R }
  const secret = (tag: string): bigint => read(privateXml, tag)
  const ecdsaOf = (xml: string): string | undefined => /<ECDSA>([^<]+)</.exec(xml)?.[1]
  const [ecdsa, privateEcdsa] = [ecdsaOf(publicXml), ecdsaOf(privateXml)]
  const revocation = ecdsa && { revocation: { G: read(publicXml, 'G'), H: read(publicXml, 'H'), ecdsa } }
  return {
    id,
    publicKey: { ...dates(publicXml), ...elements, ...revocation },
    privateKey: {
      ...dates(privateXml),
      p: secret('p'),
      q: secret('q'),
      pPrime: secret('pPrime'),
      qPrime: secret('qPrime'),
      ...(privateEcdsa && { ecdsa: privateEcdsa }),
    },
  }
}

/** Keys of both files of vectors by identifier, as `svc-demo.gov-0`. */
export const KEYS: ReadonlyMap<string, KeyPair> = new Map(
  [
    ...readVectors<{ keys: RecordedKey[] }>('crypto/keys.json').keys.map(keyPair),
    ...Object.entries(
      readVectors<{ keys: Record<string, { public: string; private: string }> }>('cryptography-vectors.json')
        .keys,
    ).map(([id, xml]) => fromXml(id, xml.public, xml.private)),
  ].map(pair => [pair.id, pair]),
)

export function keyOf(id: string): KeyPair {
  const pair = KEYS.get(id)
  if (pair === undefined) throw new Error(`vectors: expected a key ${id}`)
  return pair
}

export type RecordedProof = {
  readonly c?: string
  readonly A?: string
  readonly e_response?: string
  readonly v_response?: string
  readonly a_responses: Numbers
  readonly a_disclosed: Numbers
  readonly nonrev_proof?: JsonValue
}

export function byIndex(numbers: Numbers): ReadonlyMap<number, bigint> {
  return new Map(Object.entries(numbers).map(([index, text]) => [Number(index), fromBase64(text)]))
}

/** @returns undefined if it cannot be read */
function nonRevocationOf(json: JsonValue): NonRevocationProof | undefined {
  try {
    return readNonRevocation(json, 'nonrev_proof')
  } catch (error) {
    if (error instanceof ShapeError) return undefined
    throw error
  }
}

/** The proof as numbers; undefined if a member is missing, which `protocol` refuses before this folder gets the proof. */
export function readProof(recorded: RecordedProof): DisclosureProof | undefined {
  const { c, A, e_response, v_response, a_responses, a_disclosed, nonrev_proof } = recorded
  if (c === undefined || A === undefined || e_response === undefined || v_response === undefined)
    return undefined
  const nonRevocation = nonrev_proof === undefined ? undefined : nonRevocationOf(nonrev_proof)
  if (nonrev_proof !== undefined && nonRevocation === undefined) return undefined
  return {
    ...(nonRevocation && { nonRevocation }),
    c: fromBase64(c),
    A: fromBase64(A),
    eResponse: fromBase64(e_response),
    vResponse: fromBase64(v_response),
    aResponses: byIndex(a_responses),
    aDisclosed: byIndex(a_disclosed),
  }
}

export type RecordedCommitment = {
  readonly U?: string
  readonly c?: string
  readonly v_prime_response?: string
  readonly s_response?: string
  readonly m_user_responses?: Numbers
}

/** Like `readProof`. */
export function readCommitment(recorded: RecordedCommitment): CommitmentProof | undefined {
  const { U, c, v_prime_response, s_response, m_user_responses } = recorded
  if (U === undefined || c === undefined || v_prime_response === undefined || s_response === undefined)
    return undefined
  return {
    U: fromBase64(U),
    c: fromBase64(c),
    vPrimeResponse: fromBase64(v_prime_response),
    sResponse: fromBase64(s_response),
    mUserResponses: byIndex(m_user_responses ?? {}),
  }
}

/** A list of recorded proofs in the form of `verifyProofs`, commitments without random blind attributes; undefined as for `readProof`. */
export function readMessage(recorded: {
  readonly proofs: readonly (RecordedProof | RecordedCommitment)[]
  readonly keys: readonly string[]
  readonly groups?: readonly string[]
  readonly attributeCount?: number
  readonly revocationIndex?: number | null
  readonly randomBlind?: readonly number[]
  readonly context: string
  readonly nonce: string
  readonly isSignature: boolean
}): ProofList | undefined {
  const disclosures: ProofList['disclosures'][number][] = []
  const commitments: ProofList['commitments'][number][] = []
  for (const [i, each] of recorded.proofs.entries()) {
    const { publicKey: key } = keyOf(recorded.keys[i] ?? '')
    const facts = { key, group: recorded.groups?.[i] ?? '.' }
    if ('a_disclosed' in each) {
      const proof = readProof(each)
      if (proof === undefined) return undefined
      const { attributeCount = key.R.length - 2, revocationIndex = null } = recorded
      disclosures.push({ proof, ...facts, attributeCount, revocationIndex })
    } else {
      const proof = readCommitment(each)
      if (proof === undefined) return undefined
      commitments.push({ proof, ...facts, randomBlind: recorded.randomBlind ?? [] })
    }
  }
  const { context, nonce, isSignature } = recorded
  return { disclosures, commitments, context: fromBase64(context), nonce: fromBase64(nonce), isSignature }
}
