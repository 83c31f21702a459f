/** All HTTP calls of this program go through these functions: a time limit for each call, a size limit for each body. @module */
import type { Limit } from './limit.ts'

export type Fetch = typeof globalThis.fetch

/** An answer is longer than the limit of its reader. */
export class BodyTooLongError extends Error {
  override readonly name = 'BodyTooLongError'
}

/** Resolves with the head of the answer, for any status. A redirect is returned and not followed, unless `init` says so.
 *  @throws errors of `fetch`, which may quote the address */
export function fetchWithin(
  limit: Limit,
  fetch: Fetch,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, { redirect: 'manual', ...init, signal: limit.signal })
}

/** @returns a `fetch` for several calls under one limit. A call also ends with its own signal */
export function limitedFetch(limit: Limit, fetch: Fetch): Fetch {
  return (url, init = {}) => {
    const signals = init.signal ? [init.signal, limit.signal] : [limit.signal]
    return fetch(url, { ...init, signal: AbortSignal.any(signals) })
  }
}

/** Counts the bytes that arrive, after decompression; the announced length is not trusted.
 *  @throws {BodyTooLongError} as soon as more than `maxBytes` have arrived */
export async function readBounded({ body }: Pick<Response, 'body'>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > maxBytes)
      throw new BodyTooLongError(`expected an answer of at most ${maxBytes} bytes, got more`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
