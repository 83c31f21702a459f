/** The keyshare server's part of an issuance, as the app passes it on (spec 4.6 rule 4, `spec/cryptography.md` 11.3): a JWT, signed with a key that
 *  the scheme publishes. No text of it stands in an error. @module */
import type { KeyObject } from 'node:crypto'
import { type CompactJWSHeaderParameters, compactVerify, errors } from 'jose'
import type { KeyshareProof } from '../crypto/keyshare/merge.ts'
import { readBigInteger } from '../protocol/big-integers.ts'
import { KeyshareProofMissing, MalformedInput } from '../protocol/errors.ts'
import type { JsonValue } from '../protocol/json.ts'
import { type JsonObject, mapShapeErrors, readObject, readText } from '../protocol/shape.ts'
import type { Scheme } from '../schemes/types.ts'

/** The most that the clock of a keyshare server may be ahead of ours: a commitment there lives some 20 s. */
const LEEWAY_SEC = 30
const KEY_NUMBER = /^(0|[1-9][0-9]{0,8})$/

/** @param jwt secret; null: there is none for this scheme
 *  @param scheme one with a keyshare server
 *  @throws {KeyshareProofMissing} without a JWT, or for one that this keyshare server did not sign for now
 *  @throws {MalformedInput} for a signed one that holds no keyshare proof */
export async function readKeyshareJwt(
  jwt: string | null,
  scheme: Pick<Scheme, 'id' | 'keyshareKeys'>,
  nowSec: number,
): Promise<KeyshareProof> {
  if (jwt === null)
    throw new KeyshareProofMissing(`no keyshare proof included for scheme ${scheme.id}: expected its JWT`)
  const claims = await readClaims(jwt, scheme)
  checkClaims(claims, scheme, nowSec)
  return mapShapeErrors(MalformedInput, () => readProof(claims.ProofP))
}

/** Only RS256: a key is never used with an algorithm that the JWT chose. */
async function readClaims(jwt: string, scheme: Pick<Scheme, 'id' | 'keyshareKeys'>): Promise<JsonObject> {
  try {
    const verified = await compactVerify(jwt, header => keyOf(header, scheme), { algorithms: ['RS256'] })
    const text = new TextDecoder().decode(verified.payload)
    return mapShapeErrors(KeyshareProofMissing, () => readObject(readText(text), 'keyshare JWT'))
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause
    throw invalid(scheme, 'a JWT that its keyshare server signed with RS256, got something else', cause)
  }
}

/** `kid` is the number of the key, 0 if absent; numbers are accepted as texts and as numbers. */
function keyOf(header: CompactJWSHeaderParameters, scheme: Pick<Scheme, 'id' | 'keyshareKeys'>): KeyObject {
  const kid: unknown = header.kid ?? 0
  const isNumber = (typeof kid === 'string' || typeof kid === 'number') && KEY_NUMBER.test(String(kid))
  const key = isNumber ? scheme.keyshareKeys.get(Number(kid)) : undefined
  if (key === undefined) throw invalid(scheme, 'the number of one of its keys as kid, got another')
  return key
}

function checkClaims({ sub, iat, exp, nbf }: JsonObject, scheme: Pick<Scheme, 'id'>, nowSec: number): void {
  if (sub !== 'ProofP') throw invalid(scheme, 'the subject ProofP, got another')
  if (!isTime(iat, at => at <= nowSec + LEEWAY_SEC) || !isTime(nbf, at => at <= nowSec + LEEWAY_SEC))
    throw invalid(scheme, 'a JWT of now, got one of the future')
  if (!isTime(exp, at => nowSec < at)) throw invalid(scheme, 'a JWT of now, got an expired one')
}

/** A time that is not there is right. */
function isTime(json: JsonValue | undefined, isRight: (atSec: number) => boolean): boolean {
  return json === undefined || (typeof json === 'number' && isRight(json))
}

function readProof(json: JsonValue | undefined): KeyshareProof {
  const { P, c, s_response } = readObject(json, 'ProofP')
  return {
    P: P === undefined || P === null ? null : readBigInteger(P, 'ProofP.P'),
    c: readBigInteger(c, 'ProofP.c'),
    sResponse: readBigInteger(s_response, 'ProofP.s_response'),
  }
}

function invalid({ id }: Pick<Scheme, 'id'>, expected: string, cause?: unknown): KeyshareProofMissing {
  return new KeyshareProofMissing(`invalid keyshare proof included for scheme ${id}: expected ${expected}`, {
    cause,
  })
}
