/** The option `static_sessions` (spec/session-server#16): extended session requests by name, read as those of requestors are. A request that could never start
 *  a session is refused when the server starts. A message quotes no request. @module */
import type { ServerSettings } from '../../http/settings.ts'
import { RemoteError } from '../../protocol/errors.ts'
import { type ExtendedRequest, parseSessionRequestText } from '../../protocol/request.ts'
import { STATIC_NAME } from '../../protocol/session-package.ts'
import type { Schemes } from '../../schemes/types.ts'
import { acceptFacts } from '../../sessions/accept-facts.ts'
import { acceptOwnRequest } from '../../sessions/accept-request.ts'
import { refuse } from './checks.ts'
import { readEach } from './errors.ts'
import type { OptionValues } from './session-server.ts'

/** @throws {SettingsError} */
export function staticSessionsOf(
  { static_sessions }: OptionValues,
  settings: Pick<ServerSettings, 'profile'>,
): ReadonlyMap<string, ExtendedRequest> {
  return new Map(
    readEach(Object.entries(static_sessions), ([name, json]) => [name, read(name, json, settings)] as const),
  )
}

function read(name: string, json: unknown, { profile }: Pick<ServerSettings, 'profile'>): ExtendedRequest {
  if (!STATIC_NAME.test(name))
    refuse('static_sessions', `expected names of letters, digits and "_", got ${JSON.stringify(name)}`)
  const option = `static_sessions.${name}`
  const extended = orRefuse(option, () => parseSessionRequestText(JSON.stringify(json), profile))
  const { request, callbackUrl, nextSession } = extended
  if (request.type === 'issuing')
    refuse(option, 'expected a disclosure or signature request, got one for issuance')
  if (callbackUrl === '' && !nextSession?.url)
    refuse(option, 'expected a callbackUrl or a nextSession, by which the result leaves, got neither')
  return extended
}

/** @throws {SettingsError} about every static session that this server cannot start */
export function checkStaticSessions(settings: ServerSettings, schemes: Schemes): void {
  const ofIssuance = { clock: { wallNow: () => 0 }, revocation: { canIssue: () => false } } // none of these sessions issues
  const facts = acceptFacts({ schemes, settings, ...ofIssuance }, settings.profile)
  readEach([...settings.staticSessions], ([name, extended]) =>
    orRefuse(`static_sessions.${name}`, () => acceptOwnRequest(extended, facts)),
  )
}

function orRefuse<Result>(option: string, attempt: () => Result): Result {
  try {
    return attempt()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return refuse(option, error.message)
  }
}
