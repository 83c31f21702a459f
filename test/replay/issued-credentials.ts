/** Checks the credentials in our answers to recorded commitments, because random values of the issuer cannot be compared with a recording. A credential must
 *  have a proof of correctness over the app's nonce. As far as is verifiable without the app's secrets, it must be a CL signature on the requested
 *  attributes (spec/cryptography#9.3, #9.5). @module */
import { attributeExponent, encodeAttribute } from '../../crypto/attribute.ts'
import { chooseArithmetic } from '../../crypto/bignum/choose.ts'
import { fromBase64 } from '../../crypto/bytes.ts'
import { verifyCorrectness } from '../../crypto/issuance.ts'
import { encodeMetadata } from '../../crypto/metadata.ts'
import { type IssuerPublicKey, systemParameters } from '../../crypto/public-key.ts'
import { isWitnessRight } from '../../crypto/revocation/witness.ts'
import { parseCommitmentMessage } from '../../protocol/commitment-message.ts'
import { attributeNameOf, issuerOf, parseCredentialTypeId, schemeOf } from '../../protocol/ids.ts'
import { readJson } from '../../protocol/json.ts'
import { type IssuedCredential, readIssuedCredentials } from '../../protocol/server-session-response.ts'
import { readObject } from '../../protocol/shape.ts'
import type { Schemes } from '../../schemes/types.ts'
import type { Answer } from '../http/client.ts'
import { readJwt } from './jwt-text.ts'
import type { Exchange } from './transcript.ts'

const arithmetic = chooseArithmetic('auto')

/** A requested credential, in the form of the request that the app gets. */
type Requested = {
  readonly credential: string
  readonly validity: number
  readonly keyCounter?: number
  readonly attributes: Readonly<Record<string, string>>
}

type Issued = {
  /** our answer to the commitments */
  readonly answer: string
  readonly commitments: string
  /** the app's session request, or the client request around it */
  readonly delivered: string
  readonly issuedAtSec: number
}

export type IssuanceWatch = {
  /** Must be called with every answer in order. @returns the problems of the credentials in this answer, one line each */
  problemsOf(exchange: Exchange, answer: Pick<Answer, 'status' | 'text'>, nowSec: number): string[]
}

export function watchIssuance(schemes: Schemes): IssuanceWatch {
  const delivered = new Map<string, string>()
  const issued = new Map<string, string>()
  return {
    problemsOf({ path, body = '' }, { status, text }, nowSec) {
      const [, client = ''] = /\/session\/(\w+)/.exec(path) ?? []
      if (status === 200 && text.includes('"credentials":')) delivered.set(client, text)
      if (!path.endsWith('/commitments') || !text.includes('"e_response"')) return []
      const first = issued.get(client) ?? text
      issued.set(client, text)
      const facts = { commitments: body, delivered: delivered.get(client) ?? '', issuedAtSec: nowSec }
      return first === text ? problemsOf({ answer: text, ...facts }, schemes) : ['a session issued twice']
    },
  }
}

function problemsOf({ answer, commitments, delivered, issuedAtSec }: Issued, schemes: Schemes): string[] {
  const message = parseCommitmentMessage(commitments)
  const outer = JSON.parse(delivered)
  const requested: Requested[] = (outer.request ?? outer).credentials
  const committed = message.proofs.flatMap(each => (each.kind === 'commitment' ? [each.proof.U] : []))
  const json = readJson(answer)
  const sigs = readIssuedCredentials(
    Array.isArray(json) ? json : readObject(json, 'answer').sigs,
    requested.length,
  )
  return sigs.flatMap((sig, i) => {
    const request = requested[i]
    const U = committed[i]
    if (!request || !U) return [`sigs[${i}]: expected no credential, because none was requested`]
    const id = parseCredentialTypeId(request.credential)
    const key = schemes.publicKey(issuerOf(id), request.keyCounter ?? 0)
    if (!key) return [`sigs[${i}]: signed with an unknown key`]
    const P = keysharePart(message.proofPJwts.get(schemeOf(issuerOf(id))))
    const attributes = attributesOf(request, sig, issuedAtSec, schemes)
    return [
      ...(isCorrect(sig, key, message.n2) ? [] : [`sigs[${i}]: the proof of correctness does not hold`]),
      ...(isOn(sig, key, (U * P) % key.n, attributes)
        ? []
        : [`sigs[${i}]: no signature on the requested attributes`]),
      ...(!sig.witness || isWitnessRight(arithmetic, sig.witness, key)
        ? []
        : [`sigs[${i}]: an invalid witness`]),
    ]
  })
}

/** The keyshare server's part of a commitment, R^m_k; 1 without a keyshare server. */
function keysharePart(jwt: string | undefined): bigint {
  const claims = readJwt(jwt ?? '')?.payload
  return claims ? fromBase64(JSON.parse(claims).ProofP.P) : 1n
}

/** The exponents from base index 1 on. For a random blind attribute this is the issuer's share. */
function attributesOf(
  { credential, validity, keyCounter = 0, attributes }: Requested,
  { shares, witness }: IssuedCredential,
  issuedAtSec: number,
  schemes: Schemes,
): bigint[] {
  const metadata = encodeMetadata({
    issuedAtSec,
    expiresAtSec: validity,
    keyCounter,
    credentialType: credential,
  })
  const types = schemes.credentialType(parseCredentialTypeId(credential))?.attributes ?? []
  const values = types.map(({ id, isRandomBlind, isRevocation }, i) => {
    if (isRandomBlind) return shares.get(i + 2) ?? 0n
    return isRevocation ? (witness?.e ?? 0n) : encodeAttribute(attributes[attributeNameOf(id)] ?? null)
  })
  return [metadata, ...values]
}

function isCorrect({ issued }: IssuedCredential, key: IssuerPublicKey, n2: bigint): boolean {
  return verifyCorrectness(arithmetic, { key, ...issued, context: 1n, n2 })
}

/** Z = A^e S^v'' U prod R_i^m_i */
function isOn(
  { issued: { signature } }: IssuedCredential,
  key: IssuerPublicKey,
  U: bigint,
  attributes: readonly bigint[],
): boolean {
  const { n, S, R, Z } = key
  const { A, e, v } = signature
  const { Lm } = systemParameters(n)
  const power = (base: bigint, exponent: bigint): bigint => arithmetic.power(base, exponent, n)
  const product = attributes.reduce(
    (all, attribute, i) => (all * power(R[i + 1] ?? 0n, attributeExponent(attribute, Lm))) % n,
    (U * power(S, v)) % n,
  )
  return (power(A, e) * product) % n === Z
}
