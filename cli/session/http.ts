/** Calls of a frontend or requestor to a session server. Errors contain the address and the reason, never a token or body. @module */

import { trustOf } from '../../libraries/wallet/trust.ts'
import { type Clock, createSystemClock } from '../../ports/clock.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { fetchWithin, readBounded } from '../../ports/fetch.ts'
import { timeLimit } from '../../ports/limit.ts'
import { utf8Of } from '../../ports/utf8.ts'

const CALL_TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 2 ** 24

const systemClock = createSystemClock()

export type Call = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The server could not be reached, or the connection broke. A retry may succeed. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** The server responded with an error. A retry cannot succeed. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** type of the remote error; null if the response was not one */
  readonly type: string | null

  constructor(message: string, type: string | null = null) {
    super(message)
    this.type = type
  }
}

/** @param doing name of the operation, for messages
 *  @returns body of a successful response
 *  @throws {UnreachableError} @throws {RefusedError} */
export async function call(
  doing: string,
  url: string,
  { method = 'GET', headers, body }: Call = {},
  clock: Clock = systemClock,
): Promise<string> {
  const init = { method, ...(headers && { headers }), ...(body && { body }) }
  using limit = timeLimit(clock, CALL_TIMEOUT_MS)
  let response: Response
  let text: string | null
  try {
    response = await fetchWithin(limit, systemFetch, url, init)
    text = utf8Of(await readBounded(response, MAX_ANSWER_BYTES))
  } catch (error) {
    const got = limit.isOver ? ` within ${CALL_TIMEOUT_MS / 1_000} s, got none` : `, got none${whyOf(error)}`
    throw new UnreachableError(`${doing}: expected an answer from ${new URL(url).origin}${got}`)
  }
  if (text === null) throw new UnreachableError(`${doing}: expected an answer in UTF-8, got other bytes`)
  if (response.status >= 500) throw new UnreachableError(`${doing}: ${describe(response.status, text)}`)
  if (!response.ok) throw new RefusedError(`${doing}: ${describe(response.status, text)}`, typeOf(text))
  return text
}

function whyOf(error: unknown): string {
  return trustOf(error) || ` (${reasonOf(error)})`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error.message.replace(/: [a-z]+:\/\/.*$/s, '') // the address may hold a password
}

function typeOf(text: string): string | null {
  const facts = jsonOf(text)
  return typeof facts === 'object' && facts !== null && 'error' in facts ? String(facts.error) : null
}

/** Describes a remote error by status, type and message, and any other response only by its status. */
function describe(status: number, text: string): string {
  const facts = jsonOf(text)
  if (typeof facts !== 'object' || facts === null || !('error' in facts))
    return `the server answered ${status}`
  const message = 'message' in facts ? `: ${String(facts.message)}` : ''
  return `the server answered ${status} ${String(facts.error)}${message}`
}

/** @returns undefined if the text is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
