/** Calls of a wallet app to a keyshare server (spec/interface#4.5, spec/keyshare-server#2 and #17.1), with the paths and bodies of existing apps. An attempt without a
 *  response is retried. A response of 502, 503 or 504 is retried if the call can be repeated without effect. Of a response, failures contain only the HTTP status
 *  and the error type. @module */
import { writeJson } from '../../../protocol/json.ts'
import { PROFILES } from '../../../protocol/profiles.ts'
import { withoutSlashesAtEnd } from '../../../protocol/text-scanning.ts'
import type { Scheme } from '../../../schemes/types.ts'
import { callWithRetries } from '../calls.ts'
import { SessionError } from '../failure.ts'
import type { NamedServerDeps } from '../named-servers.ts'
import type { AuthenticationToken, KeyshareAccount } from './account.ts'

/** Proof that the user gave the PIN of an account. */
export type Authentication = {
  readonly account: KeyshareAccount
  readonly token: AuthenticationToken
}

export type KeysharePath =
  | '/client/register'
  | '/users/verify_start'
  | '/users/verify/pin_challengeresponse'
  | '/users/change/pin'
  | '/api/v2/prove/getPs'
  | '/api/v2/prove/getCommitments'
  | '/api/v2/prove/getResponse'
  | '/prove/getCommitments'
  | '/prove/getResponse'

export type KeyshareCalls = {
  /** @returns the body of the response
   *  @throws {SessionError} `facts.remote` has the HTTP status and the error type */
  post(path: KeysharePath, body: unknown, authentication?: Authentication): Promise<string>
  /** Starts a session that renews the login credential.
   *  @returns as `post` */
  renew(authentication: Authentication): Promise<string>
}

/** Calls with an effect that a retry could repeat, such as an account or an attempt at the PIN. Their first response is final. */
const ANSWERED_ONCE: readonly string[] = [
  '/client/register',
  '/users/verify/pin_challengeresponse',
  '/users/change/pin',
] satisfies KeysharePath[]

/** @param scheme with a keyshare server
 *  @throws {SessionError} `insecure` for plain HTTP without developer mode */
export function keyshareCalls(scheme: Scheme, deps: NamedServerDeps): KeyshareCalls {
  const u = withoutSlashesAtEnd(scheme.keyshareServer)
  if (!/^https:/i.test(u) && !deps.developerMode)
    throw new SessionError('insecure', `keyshare server of ${scheme.id}: plain HTTP needs developer mode`)
  const target = { u, host: `the keyshare server of ${scheme.id}` }
  const call = async (method: 'GET' | 'POST', path: string, body?: unknown, who?: Authentication) => {
    const isAnsweredOnce = ANSWERED_ONCE.includes(path)
    const sent = { method, path, ...(body !== undefined && { body: writeJson(body) }), isAnsweredOnce }
    try {
      return await callWithRetries(target, who ? headersOf(who) : {}, sent, deps)
    } catch (error) {
      throw inWords(scheme, error)
    }
  }
  return {
    post: (path, body, authentication) => call('POST', path, body, authentication),
    renew: authentication => call('GET', '/users/renewKeyshareAttribute', undefined, authentication),
  }
}

function headersOf({ account, token }: Authentication): Record<string, string> {
  return {
    [PROFILES[account.profile].keyshareUsernameHeader]: account.userName,
    Authorization: token.jwt,
  }
}

/** Error types of a keyshare server, explained for the user. */
const WORDS: Readonly<Record<string, string>> = {
  USER_NOT_REGISTERED: 'it does not know this account: it may have been deleted',
  TOO_MANY_REQUESTS: 'it has had too many registrations or mails lately: try again later',
  INVALID_REQUEST: 'it refused what was sent',
  UNEXPECTED_REQUEST: 'it did not expect this now',
  MISSING_CHALLENGE: 'it has no challenge for this login any more',
  MISSING_COMMITMENT: 'it has no commitment for this session any more',
}

function inWords({ id }: Scheme, error: unknown): unknown {
  if (!(error instanceof SessionError)) return error
  if (error.reason === 'transport') return new SessionError('keyshare-unreachable', error.message)
  if (error.facts.remote === undefined) return error
  const { status, type } = error.facts.remote
  const words = WORDS[type] ?? 'it failed'
  const message = `the keyshare server of ${id}: ${words} (${status} ${type})`
  return new SessionError('keyshare-error', message, error.facts)
}
