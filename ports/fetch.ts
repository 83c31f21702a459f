/** The calls of HTTP that this program makes: each has a limit in time, and what is read of an answer has one in bytes. @module */
import type { Limit } from './limit.ts'

export type Fetch = typeof globalThis.fetch

/** An answer that is longer than its reader wants. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong'
}

/** The head of the answer, whatever its status. A redirect is an answer and is not followed, unless `init` says so.
 *  @throws what `fetch` throws, which may quote the address */
export function fetchWithin(
  limit: Limit,
  fetch: Fetch,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, { redirect: 'manual', ...init, signal: limit.signal })
}

/** Counts what arrives, unpacked: a length that is announced proves nothing.
 *  @throws {BodyTooLong} as soon as more than `maxBytes` have arrived */
export async function readBounded({ body }: Pick<Response, 'body'>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > maxBytes) throw new BodyTooLong(`expected an answer of at most ${maxBytes} bytes, got more`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
