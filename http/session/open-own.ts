/** Sessions that this server begins for a wallet app, without a requestor (spec/session-server#16, spec/keyshare-server#5): the app gets the pointer.
 *  No caller gets the tokens of requestor and frontend. @module */
import { newSession } from '../../actors/kinds/new-session.ts'
import type { Sessions } from '../../actors/sessions.ts'
import { OverloadedError } from '../../protocol/errors.ts'
import type { ExtendedRequest } from '../../protocol/request.ts'
import { type SessionPointer, sessionPointer } from '../../protocol/session-package.ts'
import type { ServerDeps } from '../deps.ts'

/** Such a session has no requestor. The next sessions of its chain have only the permissions that the settings give to all requestors. */
const NOBODY = ''

type OpenDeps = Pick<ServerDeps, 'settings' | 'random'> & { readonly sessions: Pick<Sessions, 'open'> }

/** @param requestor by default none
 *  @throws {OverloadedError} while too many proofs wait, so that no new session of that requestor should begin */
export function requireRoom(
  { isOverloaded }: Pick<ServerDeps, 'isOverloaded'>,
  requestor: string = NOBODY,
): void {
  if (isOverloaded(requestor)) throw new OverloadedError('too many proofs are waiting to be checked')
}

/** @param extended a request that `acceptOwnRequest` has accepted
 *  @returns the content of a QR code */
export async function openOwnSession(
  extended: ExtendedRequest,
  { sessions, settings, random }: OpenDeps,
): Promise<SessionPointer> {
  const session = newSession(extended, NOBODY, settings, random)
  await sessions.open(session)
  const { url, profile } = settings
  const { type, host } = extended.request
  return sessionPointer({ clientToken: session.columns.clientToken, url, profile, type, host })
}
