/** The answer to a submission of a wallet app (spec/interface#2.9, spec/session-server#7.3, spec/cryptography#9.4): writing and reading. @module */
import { toBase64 } from '../crypto/bytes.ts'
import type { IssuedSignature } from '../crypto/issuance.ts'
import type { Witness } from '../crypto/revocation/witness.ts'
import { readBigInteger, readIntegerMap, writeIntegerMap } from './big-integers.ts'
import type { JsonValue } from './json.ts'
import { readWitness, writeWitness } from './revocation-json.ts'
import { hasChains } from './server-versions.ts'
import type { SessionPointer } from './session-package.ts'
import { type JsonObject, readList, readObject, readString, ShapeError } from './shape.ts'
import type { ProtocolVersion } from './versions.ts'

export type IssuedCredential = {
  /** its v is only the issuer's part */
  readonly issued: IssuedSignature
  /** the issuer's shares of random blind attributes, by base index; may be empty */
  readonly shares: ReadonlyMap<number, bigint>
  /** secret; null: the credential cannot be revoked */
  readonly witness: Witness | null
}

export type SessionAnswer = {
  readonly proofStatus: string
  /** the signatures of a valid issuance, in the order of the credentials, made by `issuedCredential` */
  readonly sigs?: readonly object[]
  /** since version 2.7; one for each key of the app, in their order */
  readonly sdjwts?: readonly string[]
  /** since version 2.7 */
  readonly nextSession?: SessionPointer
}

/** The answer in the form of the protocol version. Members are in the order of the wire. Below version 2.7 it is only the list of signatures, or the proof status. */
export function serverSessionResponse(answer: SessionAnswer, version: ProtocolVersion): object | string {
  const { proofStatus, sigs, sdjwts, nextSession } = answer
  if (hasChains(version)) return { proofStatus, sigs, sdjwts, nextSession }
  return sigs ?? proofStatus
}

/** An element of `sigs`. Members are in the order of the wire. The app fills in `KeyshareP`. */
export function issuedCredential(credential: IssuedCredential): object {
  const { issued, shares, witness } = credential
  const { signature, proof } = issued
  return {
    proof: { c: toBase64(proof.c), e_response: toBase64(proof.eResponse) },
    signature: {
      A: toBase64(signature.A),
      e: toBase64(signature.e),
      v: toBase64(signature.v),
      KeyshareP: null,
    },
    nonrev: witness === null ? undefined : writeWitness(witness),
    m_issuer: shares.size === 0 ? undefined : writeIntegerMap(shares),
  }
}

/** Reads `sigs` as a wallet does. It does not check the numbers.
 *  @param count number of requested credentials
 *  @throws {ShapeError} also if the list has another length */
export function readIssuedCredentials(json: JsonValue | undefined, count: number): IssuedCredential[] {
  const list = readList(json, 'sigs')
  if (list.length !== count) throw new ShapeError(`sigs: expected ${count}, got ${list.length}`)
  return list.map((each, i) => readIssuedCredential(readObject(each, `sigs[${i}]`), `sigs[${i}]`))
}

function readIssuedCredential(json: JsonObject, what: string): IssuedCredential {
  const signature = readObject(json.signature, `${what}.signature`)
  const proof = readObject(json.proof, `${what}.proof`)
  return {
    issued: {
      signature: {
        A: readBigInteger(signature.A, `${what}.signature.A`),
        e: readBigInteger(signature.e, `${what}.signature.e`),
        v: readBigInteger(signature.v, `${what}.signature.v`),
      },
      proof: {
        c: readBigInteger(proof.c, `${what}.proof.c`),
        eResponse: readBigInteger(proof.e_response, `${what}.proof.e_response`),
      },
    },
    shares: readIntegerMap(json.m_issuer, `${what}.m_issuer`),
    witness:
      json.nonrev === undefined || json.nonrev === null ? null : readWitness(json.nonrev, `${what}.nonrev`),
  }
}

const PROOF_STATUS = /^[A-Z_]{1,40}$/

/** @throws {ShapeError} */
export function readProofStatus(json: JsonValue | undefined): string {
  const status = readString(json, 'proofStatus')
  if (!PROOF_STATUS.test(status)) throw new ShapeError('proofStatus: expected a word in capitals')
  return status
}
