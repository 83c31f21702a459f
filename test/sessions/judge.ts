/** Small disclosure messages about credentials of the demo schemes. Their numbers are not real, so the test passes its own `verify`. @module */
import { encodeAttribute } from '../../crypto/attribute.ts'
import type { DisclosureProof } from '../../crypto/disclosure.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'
import { loadSchemes } from '../../schemes/load.ts'
import { checkDisclosure, type DisclosureToCheck } from '../../sessions/check-disclosure.ts'
import type { LongValues } from '../../sessions/hashed-values.ts'
import type { NonRevocationFacts } from '../../sessions/non-revocation.ts'
import type { Judgement } from '../../sessions/result.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { type At, accumulatorAt } from './accumulators.ts'
import { CHECKING } from './facts-of-test.ts'

const schemes = await loadSchemes(DEMO_SCHEMES)
export const WEEK_SEC = 604_800
export const NOW_SEC = 2900 * WEEK_SEC
export const IDCARD = 'svc-demo.gov.idcard'
export const NOTE = 'svc-demo.fast.note'

export type Credential = {
  readonly type?: string
  readonly signedAtSec?: number
  readonly expiresAtSec?: number
  readonly keyCounter?: number
  readonly version?: 2 | 3
  /** its proof refers to an accumulator with this index and time, under the key of the counter */
  readonly provedAt?: At
  /** by base index */
  readonly disclosed?: { readonly [index: number]: bigint | string | null }
}

/** A proof about such a credential; `verify` of the test judges its numbers. */
export function proofOf(credential: Credential): DisclosureProof {
  const { type = IDCARD, signedAtSec = NOW_SEC - WEEK_SEC, disclosed = {}, version = 3 } = credential
  const expiresAtSec = credential.expiresAtSec ?? NOW_SEC + WEEK_SEC
  const keyCounter = credential.keyCounter ?? 0
  const metadata = encodeMetadata({
    issuedAtSec: signedAtSec,
    expiresAtSec,
    keyCounter,
    credentialType: type,
    version,
  })
  const values = Object.entries(disclosed).map(([index, value]): [number, bigint] => [
    Number(index),
    typeof value === 'bigint' ? value : encodeAttribute(value, version),
  ])
  const { provedAt } = credential
  return {
    ...EMPTY,
    aDisclosed: new Map([[1, metadata], ...values]),
    ...(provedAt && { nonRevocation: nonRevocationProof(provedAt, keyCounter) }),
  }
}

function nonRevocationProof(at: At, keyCounter: number): NonNullable<DisclosureProof['nonRevocation']> {
  const numbers = { Cr: 0n, Cu: 0n, beta: 0n, delta: 0n, epsilon: 0n, zeta: 0n }
  return { ...numbers, signed: accumulatorAt(at, keyCounter) }
}

export const EMPTY: DisclosureProof = {
  c: 0n,
  A: 0n,
  eResponse: 0n,
  vResponse: 0n,
  aResponses: new Map(),
  aDisclosed: new Map(),
}

export type Case = {
  readonly disclose: JsonValue
  readonly proofs?: readonly (Credential | DisclosureProof)[]
  /** [cred, attr] pairs by outer item */
  readonly indices?: readonly (readonly (readonly [number, number])[])[]
  readonly members?: { readonly [name: string]: JsonValue }
  readonly hasUncheckedParts?: boolean
  readonly nonRevocation?: Partial<NonRevocationFacts>
  readonly longValues?: LongValues
}

export function toCheck({
  disclose,
  proofs = [],
  indices = [],
  members = {},
  hasUncheckedParts = false,
  nonRevocation = {},
  longValues = 'allow',
}: Case): DisclosureToCheck {
  const json = { '@context': 'https://svc.example/ld/request/disclosure/v2', disclose, ...members }
  const { request } = parseSessionRequest(json, PROFILES.svc)
  if (request.type !== 'disclosing') throw new Error('not a disclosure request')
  const message = {
    proofs: proofs.map(proof => ('aDisclosed' in proof ? proof : proofOf(proof))),
    indices: indices.map(item => item.map(([cred, attr]) => ({ cred, attr }))),
    hasUncheckedParts,
  }
  const facts = { ...CHECKING, longValues, nonRevocation: { ...CHECKING.nonRevocation, ...nonRevocation } }
  return { request, message, nonce: 5n, nowSec: NOW_SEC, schemes, ...facts }
}

export function judge(input: Case, isValid = true): Promise<Judgement> {
  return checkDisclosure(toCheck(input), async () => isValid)
}

/** Status, and for each list the raw values, with a letter for a status other than PRESENT. */
export async function told(input: Case): Promise<unknown[]> {
  const { proofStatus, disclosed = [] } = await judge(input)
  const lists = disclosed.map(list =>
    list === null
      ? null
      : list.map(({ rawvalue, status }) => `${status === 'PRESENT' ? '' : status[0]}${rawvalue}`),
  )
  return [proofStatus, ...lists]
}

export const OVER18 = [[[`${IDCARD}.over18`]]]
export const YES: Case = { disclose: OVER18, proofs: [{ disclosed: { 4: 'yes' } }], indices: [[[0, 4]]] }
