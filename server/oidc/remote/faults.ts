/** Calls of the session server of an OpenID provider. Each has a time limit. A fault is one log line for the operator, and 503 for the browser. @module */
import { UntrustedResultError } from '../../../http/oidc/disclosures.ts'
import { ServerRefusalError } from '../../../libraries/client/calls.ts'
import { limitedFetch } from '../../../ports/fetch.ts'
import { timeLimit } from '../../../ports/limit.ts'
import { RemoteError, UnavailableError } from '../../../protocol/errors.ts'
import type { World } from '../../world.ts'

export type CallDeps = {
  readonly url: string
  readonly fetch: World['fetch']
  readonly clock: Pick<World['clock'], 'setTimeout' | 'clearTimeout'>
  readonly log: Pick<World['log'], 'error'>
}

/** Runs a call of the session server.
 *  @param work receives a `fetch` with the time limit of the call. A stream has a limit of its own, so its `fetch` has none
 *  @throws {UnavailableError} for a fault of that server */
export type Faults = <T>(
  call: string,
  work: (fetch: World['fetch']) => Promise<T>,
  isStream?: boolean,
) => Promise<T>

/** The session server did not answer in time. */
class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError'
}

/** Time limit of one call, its repeats included. A login makes at most four calls before its page shows a code. */
const LIMIT_MS = 5_000

export function reporting({ url, log, ...deps }: CallDeps): Faults {
  return async (call, work, isStream = false) => {
    try {
      return await (isStream ? work(deps.fetch) : inTime(deps, work))
    } catch (error) {
      if (error instanceof RemoteError || error instanceof UntrustedResultError || isAbort(error)) throw error
      log.error({ server: url, call, fault: faultOf(error) }, 'the session server failed')
      throw new UnavailableError('the session server is not available')
    }
  }
}

/** @throws {LateAnswerError} */
export async function inTime<T>(
  { fetch, clock }: Pick<CallDeps, 'fetch' | 'clock'>,
  work: (fetch: World['fetch']) => Promise<T>,
): Promise<T> {
  using limit = timeLimit(clock, LIMIT_MS)
  try {
    return await work(limitedFetch(limit, fetch))
  } catch (error) {
    if (limit.isOver) throw new LateAnswerError(`expected an answer within ${LIMIT_MS / 1_000} s, got none`)
    throw error
  }
}

/** @returns words for the operator, without a token or a value */
export function faultOf(error: unknown): string {
  if (error instanceof ServerRefusalError) {
    const { status, type, message } = error
    if (type === '') return `expected an answer of a session server, got status ${status}: check the address`
    const hint = HINTS[type] ?? message
    return `expected success, got ${status} ${type}: ${hint}`
  }
  if (error instanceof SyntaxError) return 'expected JSON, got another text: check the address'
  if (error instanceof LateAnswerError) return error.message
  if (!(error instanceof Error)) return 'expected an answer, got none'
  if (error.name === 'TimeoutError') return 'expected an answer in time, got none'
  const { cause } = error
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  return `expected an answer, got none: ${typeof code === 'string' ? code : error.message}`
}

const HINTS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'check "key" and the permissions of this requestor',
  INVALID_REQUEST: 'check "auth_method", "requestor", and the schemes of both servers',
  UNSUPPORTED: 'the session server has no JWT key: give it one, or leave out "public_key"',
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
