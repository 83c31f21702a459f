/** Calls of a frontend or requestor to a session server; a failure names address and reason, without token or body. @module */

import { type Clock, createSystemClock } from '../../ports/clock.ts'
import { systemFetch } from '../../ports/environment-fetch.ts'
import { fetchWithin, readBounded } from '../../ports/fetch.ts'
import { timeLimit } from '../../ports/limit.ts'
import { trustOf } from '../../wallet/trust.ts'

const CALL_TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 2 ** 24

const systemClock = createSystemClock()

export type Call = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The server could not be reached, or was lost on the way: trying again may help. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** The server answered with an error: trying again will not help. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** type of the remote error, if the answer was one */
  readonly type: string | null

  constructor(message: string, type: string | null = null) {
    super(message)
    this.type = type
  }
}

/** @param doing what is attempted, for messages
 *  @returns text of a successful answer
 *  @throws {Unreachable} @throws {Refused} */
export async function call(
  doing: string,
  url: string,
  { method = 'GET', headers, body }: Call = {},
  clock: Clock = systemClock,
): Promise<string> {
  const init = { method, ...(headers && { headers }), ...(body && { body }) }
  using limit = timeLimit(clock, CALL_TIMEOUT_MS)
  let response: Response
  let text: string
  try {
    response = await fetchWithin(limit, systemFetch, url, init)
    text = (await readBounded(response, MAX_ANSWER_BYTES)).toString('utf8')
  } catch (error) {
    const reason = limit.isOver ? `none within ${CALL_TIMEOUT_MS / 1_000} s` : reasonOf(error)
    const why = trustOf(error) || ` (${reason})`
    throw new Unreachable(`${doing}: no answer from ${new URL(url).origin}${why}`)
  }
  if (response.status >= 500) throw new Unreachable(`${doing}: ${describe(response.status, text)}`)
  if (!response.ok) throw new Refused(`${doing}: ${describe(response.status, text)}`, typeOf(text))
  return text
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error.message
}

function typeOf(text: string): string | null {
  const facts = jsonOf(text)
  return typeof facts === 'object' && facts !== null && 'error' in facts ? String(facts.error) : null
}

/** Status, type and message of a remote error; other answers only by their status. */
function describe(status: number, text: string): string {
  const facts = jsonOf(text)
  if (typeof facts !== 'object' || facts === null || !('error' in facts))
    return `the server answered ${status}`
  const message = 'message' in facts ? `: ${String(facts.message)}` : ''
  return `the server answered ${status} ${String(facts.error)}${message}`
}

/** @returns undefined if the text is no JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
