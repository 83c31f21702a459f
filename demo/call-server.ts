/** Calls of the tour's web sites and issuer to its session server. @module */
import type { Clock } from '../ports/clock.ts'
import { fetchWithin, readBounded } from '../ports/fetch.ts'
import { timeLimit } from '../ports/limit.ts'
import { writeJson } from '../protocol/json.ts'

const LIMIT_MS = 20_000
const MAX_ANSWER_BYTES = 2 ** 20

export type ServerAnswer = { readonly ok: boolean; readonly status: number; readonly text: string }

/** POST with a body, otherwise GET. @returns a response of any status */
export async function callServer(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  url: string,
  body?: object,
): Promise<ServerAnswer> {
  using limit = timeLimit(clock, LIMIT_MS)
  const headers = { 'Content-Type': 'application/json' }
  const init = body && { method: 'POST', headers, body: writeJson(body) }
  const response = await fetchWithin(limit, fetch, url, init)
  const text = (await readBounded(response, MAX_ANSWER_BYTES)).toString('utf8')
  return { ok: response.ok, status: response.status, text }
}
