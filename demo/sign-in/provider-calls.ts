/** Calls of the demo's web sites to the OpenID provider. @module */
import type { Clock } from '../../ports/clock.ts'
import { fetchWithin, readBounded } from '../../ports/fetch.ts'
import { timeLimit } from '../../ports/limit.ts'

/** @returns the answer, an object in JSON
 *  @throws {Error} for an answer that is no success */
export type ProviderCalls = (url: string, init: RequestInit) => Promise<Readonly<Record<string, unknown>>>

const LIMIT_MS = 20_000
const MAX_ANSWER_BYTES = 2 ** 20

export function providerCalls(clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>): ProviderCalls {
  return async (url, init) => {
    using limit = timeLimit(clock, LIMIT_MS)
    const response = await fetchWithin(limit, fetch, url, init)
    const text = (await readBounded(response, MAX_ANSWER_BYTES)).toString('utf8')
    if (!response.ok) throw new Error(`the provider answers ${response.status}`)
    return Object(JSON.parse(text))
  }
}
