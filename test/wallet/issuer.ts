/** An issuer that answers commitments with the private keys of the demo schemes, correctly or with a single fault. @module */
import { randomBytes } from 'node:crypto'
import { encodeAttribute } from '../../crypto/attribute.ts'
import { findSignaturePrime, type IssuedSignature, signCommitment } from '../../crypto/issuance.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import type { Witness } from '../../crypto/revocation/witness.ts'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { attributeNameOf, issuerOf, parseCredentialTypeId } from '../../protocol/ids.ts'
import { writeJson } from '../../protocol/json.ts'
import { issuedCredential } from '../../protocol/server-session-response.ts'
import { arithmetic } from './demo-wallets.ts'
import { type Answer, text } from './fake-server.ts'
import { NOW_SEC, schemes, WEEK_SEC } from './support.ts'

/** A credential as its request names it. */
export type Requested = {
  readonly credential: string
  readonly attributes: Readonly<Record<string, string>>
  readonly validity: number
  readonly keyCounter?: number
  readonly randomblindIDs?: readonly string[]
  readonly revocationSupported?: boolean
}

export type Wrongs = {
  /** week of issue, relative to now */
  readonly weeks?: number
  readonly keyCounter?: number
  readonly attributes?: Readonly<Record<string, string>>
  readonly e?: bigint
  readonly n2?: bigint
  /** added to the value of a random blind attribute beyond the share that is sent */
  readonly hiddenShare?: bigint
  readonly issued?: (issued: IssuedSignature) => IssuedSignature
  /** the witness of a credential that can be revoked: its e is signed, and the witness is sent */
  readonly witness?: Witness
  /** sent in its place */
  readonly sent?: Witness | null
  readonly shares?: (shares: ReadonlyMap<number, bigint>) => ReadonlyMap<number, bigint>
}

const bytes = (count: number): Uint8Array => randomBytes(count)

/** @returns an element of `sigs` */
export function issue(body: string, position: number, requested: Requested, wrongs: Wrongs = {}): object {
  const message = parseCommitmentMessage(body)
  const commitments = message.proofs.flatMap(each => (each.kind === 'commitment' ? [each.proof] : []))
  const id = parseCredentialTypeId(requested.credential)
  const type = schemes.credentialType(id)
  const counter = wrongs.keyCounter ?? requested.keyCounter ?? 0
  const key = schemes.publicKey(issuerOf(id), counter)
  const privateKey = schemes.privateKey(issuerOf(id), counter)
  const U = commitments[position]?.U
  if (!type || !key || !privateKey || U === undefined)
    throw new Error('expected a demo type and a commitment')
  const shares = new Map<number, bigint>()
  const values: Readonly<Record<string, string>> = { ...requested.attributes, ...wrongs.attributes }
  const attributes = type.attributes.map(({ id: attribute, isRandomBlind, isRevocation }, i) => {
    if (isRandomBlind) shares.set(i + 2, BigInt(`0x${randomBytes(31).toString('hex')}`))
    if (isRandomBlind) return (shares.get(i + 2) ?? 0n) + (wrongs.hiddenShare ?? 0n)
    return isRevocation
      ? (wrongs.witness?.e ?? 0n)
      : encodeAttribute(values[attributeNameOf(attribute)] ?? null)
  })
  const metadata = encodeMetadata({
    issuedAtSec: NOW_SEC + (wrongs.weeks ?? 0) * WEEK_SEC,
    expiresAtSec: requested.validity,
    keyCounter: counter,
    credentialType: id,
  })
  const n2 = wrongs.n2 ?? message.n2
  const commitment = wrongs.keyCounter === undefined ? U : (U * U) % key.n // a square can be signed under any key
  const toSign = { key, privateKey, U: commitment, attributes: [metadata, ...attributes], context: 1n, n2 }
  const e = wrongs.e ?? findSignaturePrime(arithmetic, key.n, bytes)
  const issued = signCommitment(arithmetic, toSign, e, bytes)
  return issuedCredential({
    issued: wrongs.issued?.(issued) ?? issued,
    shares: wrongs.shares?.(shares) ?? shares,
    witness: (wrongs.sent === undefined ? wrongs.witness : wrongs.sent) ?? null,
  })
}

/** The answer to `POST /commitments`.
 *  @param wrongs by credential
 *  @param more members of the answer */
export function issuing(
  requested: readonly Requested[],
  wrongs: readonly Wrongs[] = [],
  more: object = {},
): Answer {
  return (response, { body }) => {
    const sigs = requested.map((each, i) => issue(body, i, each, wrongs[i]))
    text(writeJson({ proofStatus: 'VALID', sigs, ...more }))(response)
  }
}
