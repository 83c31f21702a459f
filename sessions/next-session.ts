/** The next session of a chain (spec/interface#2.6, spec/session-server#15 steps 4 to 6): turns the answer of a `nextSession` URL into a request. Only
 *  JSON is read. The permissions of the chain are those of the requestor that started the first session; no later JWT changes them. @module */
import { NextSessionError, RemoteError, UnauthorizedError } from '../protocol/errors.ts'
import type { Profile } from '../protocol/profiles.ts'
import type { ExtendedRequest } from '../protocol/request.ts'
import { askedSession } from '../protocol/unknown-members.ts'
import { implicitDisclosures } from './implicit-disclosures.ts'
import type { SessionOutcome } from './result.ts'

/** @param answer to the POST of the parent's result
 *  @param parent a valid outcome; its attributes will be disclosed again
 *  @param accept returns the request as it is started, and throws if the parent's requestor may not start it on this server; it also gets the names
 *    of unknown members
 *  @returns null: there is no next session
 *  @throws {NextSessionError} */
export function nextSessionRequest(
  answer: { readonly status: number; readonly text: string },
  parent: Pick<SessionOutcome, 'disclosed'>,
  accept: (extended: ExtendedRequest, unknown: readonly string[]) => ExtendedRequest,
  profile: Profile,
): ExtendedRequest | null {
  if (answer.status === 204) return null
  if (answer.status !== 200)
    // the wallet app reads this text, and does not learn how another server answered
    throw new NextSessionError('answer of nextSession.url: expected status 200 or 204, got another status')
  try {
    const { extended, unknown } = askedSession(answer.text, profile)
    // set before `accept`: attributes that are disclosed again count among the keyshare schemes of an issuance (spec/decisions#d13)
    return accept({ ...extended, implicitDisclose: implicitDisclosures(parent.disclosed) }, unknown)
  } catch (cause) {
    if (!(cause instanceof RemoteError)) throw cause
    const reason =
      cause instanceof UnauthorizedError ? `next session not authorized: ${cause.message}` : cause.message
    throw new NextSessionError(reason, { cause })
  }
}
