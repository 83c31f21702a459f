/** The keyshare server's response to a challenge (spec/interface#4.6 rule 2, spec/keyshare-server#8.4 and #8.5). The caller must ensure that no other response is
 *  given with the same w_k. @module */
import { fitsBits } from '../bytes.ts'
import type { KeyshareProof } from './merge.ts'
import type { KeyshareSecrets } from './secrets.ts'

const CHALLENGE_BITS = 256

/** A response of the keyshare server alone: the first version of the protocol, and the linkable form of the second.
 *  @param c challenge, public
 *  @param P R_0^m_k modulo the issuing key, or else modulo the last key of the request; public
 *  @throws {RangeError} if c has more than 256 bits or a number is negative */
export function respondAlone(c: bigint, P: bigint, secrets: KeyshareSecrets): KeyshareProof {
  return { P, c, sResponse: respond(c, secrets) }
}

/** A response of both halves together, without P: the second version of the protocol.
 *  @param c as `respondAlone`
 *  @param userResponse s_u = r + c*m_u, as sent by the wallet app
 *  @throws {RangeError} as `respondAlone` */
export function respondTogether(c: bigint, userResponse: bigint, secrets: KeyshareSecrets): KeyshareProof {
  if (userResponse < 0n) throw new RangeError('response of the user: expected a non-negative integer')
  return { P: null, c, sResponse: respond(c, secrets) + userResponse }
}

/** w_k + c*m_k over the integers, not reduced. */
function respond(c: bigint, { mk, wk }: KeyshareSecrets): bigint {
  if (!fitsBits(c, CHALLENGE_BITS))
    throw new RangeError(`challenge: expected a non-negative integer of at most ${CHALLENGE_BITS} bits`)
  if (mk < 0n || wk < 0n) throw new RangeError('secrets of a response: expected non-negative integers')
  return wk + c * mk
}
