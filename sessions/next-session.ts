/** The next session of a chain (spec 2.6, `spec/session-server.md` 15 steps 4 to 6): the answer of a `nextSession` URL as a request that may be
 *  started. Only JSON is read: what a session may do is decided by who started the first, never by a JWT that comes later. @module */
import { NextSessionError, RemoteError, Unauthorized } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import { askedSession } from '../protocol/unknown-members.ts'
import { implicitDisclosures } from './implicit-disclosures.ts'
import type { Outcome } from './result.ts'

/** @param answer of the POST of the parent's result
 *  @param parent what was valid; its attributes are to be disclosed again
 *  @param accept whether the requestor of the parent may start it on this server, and the request as it is started; it is also given the names of
 *    members that nobody reads
 *  @returns null: there is no next session
 *  @throws {NextSessionError} */
export function nextSessionRequest(
  answer: { readonly status: number; readonly text: string },
  parent: Pick<Outcome, 'disclosed'>,
  accept: (extended: ExtendedRequest, unknown: readonly string[]) => ExtendedRequest,
  profile: Profile,
): ExtendedRequest | null {
  if (answer.status === 204) return null
  if (answer.status !== 200)
    throw new NextSessionError(`answer of nextSession.url: expected status 200 or 204, got ${answer.status}`)
  try {
    const { extended, unknown } = askedSession(answer.text, profile)
    // before it is accepted: what is disclosed again counts among the keyshare schemes of an issuance (D13)
    return accept({ ...extended, implicitDisclose: implicitDisclosures(parent.disclosed) }, unknown)
  } catch (cause) {
    if (!(cause instanceof RemoteError)) throw cause
    const reason =
      cause instanceof Unauthorized ? `next session not authorized: ${cause.message}` : cause.message
    throw new NextSessionError(reason, { cause })
  }
}
