/** Faults of the session server of an OpenID provider: one log line for the operator, and 503 for the browser. @module */
import { UntrustedResultError } from '../../../http/oidc/disclosures.ts'
import { ServerRefusalError } from '../../../libraries/client/calls.ts'
import { RemoteError, UnavailableError } from '../../../protocol/errors.ts'
import type { World } from '../../world.ts'

/** Runs a call of the session server.
 *  @throws {UnavailableError} for a fault of that server */
export type Faults = <T>(call: string, work: () => Promise<T>) => Promise<T>

export function reporting(url: string, log: Pick<World['log'], 'error'>): Faults {
  return async (call, work) => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof RemoteError || error instanceof UntrustedResultError || isAbort(error)) throw error
      log.error({ server: url, call, fault: faultOf(error) }, 'the session server failed')
      throw new UnavailableError('the session server is not available')
    }
  }
}

/** @returns words for the operator, without a token or a value */
function faultOf(error: unknown): string {
  if (error instanceof ServerRefusalError) {
    const { status, type, message } = error
    if (type === '') return `expected an answer of a session server, got status ${status}: check the address`
    const hint = HINTS[type] ?? message
    return `expected success, got ${status} ${type}: ${hint}`
  }
  if (error instanceof SyntaxError) return 'expected JSON, got another text: check the address'
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
