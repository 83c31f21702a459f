/** Downloads from web servers, bounded in time, bytes and redirects. The servers are not trusted: the caller checks the hash or the signature of the
 *  file. @module */
import type { Clock } from './clock.ts'
import { BodyTooLongError, type Fetch, fetchWithin, readBounded } from './fetch.ts'
import { type Limit, timeLimit } from './limit.ts'

/** The body of the answer to a GET.
 *  @throws {DownloadError} for any status but 200, for more than `maxBytes`, and if no complete file arrives */
export type Download = (url: string, maxBytes: number) => Promise<Buffer>

/** The download failed; the message names its address. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
}

/** The maximum time for one file, including redirects. */
const FILE_MS = 20_000
const MAX_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** @param stop aborts the download */
export function createDownload(
  deps: { readonly fetch: Fetch; readonly clock: Clock },
  stop?: AbortSignal,
): Download {
  return async (url, maxBytes) => {
    using limit = timeLimit(deps.clock, FILE_MS, stop)
    try {
      return await get(url, maxBytes, deps.fetch, limit)
    } catch (error) {
      throw new DownloadError(`${url}: ${reasonOf(error, limit, stop)}`, { cause: error })
    }
  }
}

function reasonOf(error: unknown, limit: Limit, stop: AbortSignal | undefined): string {
  if (limit.isOver) return `expected the file within ${FILE_MS} ms, got no end of it`
  if (stop?.aborted)
    return 'expected the whole file, got a part or nothing: the download of all files was aborted'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

async function get(url: string, maxBytes: number, fetch: Fetch, limit: Limit): Promise<Buffer> {
  let address = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!/^https?:\/\//.test(address)) throw new Error('expected an http or https address')
    const response = await fetchWithin(limit, fetch, address)
    const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null
    if (location === null) return await bodyOf(response, maxBytes)
    await response.body?.cancel()
    const next = new URL(location, address).href
    if (address.startsWith('https:') && !next.startsWith('https:'))
      throw new Error('expected a redirect to https, got another')
    address = next
  }
  throw new Error(`expected at most ${MAX_REDIRECTS} redirects, got more`)
}

async function bodyOf(response: Response, maxBytes: number): Promise<Buffer> {
  if (response.status !== 200) throw new Error(`expected status 200, got ${response.status}`)
  return await readBounded(response, maxBytes).catch((error: unknown) => {
    throw error instanceof BodyTooLongError ? new Error(`expected at most ${maxBytes} bytes`) : error
  })
}
