/** Bounds of every call that a wallet makes: in time, and in what it reads of an answer. @module */
import type { Clock } from '../ports/clock.ts'
import { SessionFailure } from './failure.ts'

/** For calls to servers that a scheme names, beside the session server. */
export type NamedServerDeps = {
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** on: plain HTTP is accepted */
  readonly developerMode: boolean
}

/** A signal for one call: over when its time is, or when `user` says so. */
export function limitOf(
  clock: Clock,
  ms: number,
  user: AbortSignal | undefined,
): Disposable & { readonly signal: AbortSignal } {
  const overdue = new AbortController()
  const timer = clock.setTimeout(() => overdue.abort(), ms)
  return {
    signal: user ? AbortSignal.any([overdue.signal, user]) : overdue.signal,
    [Symbol.dispose]: () => clock.clearTimeout(timer),
  }
}

/** The body as text.
 *  @throws {SessionFailure} `malformed-answer`, past `maxBytes` */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  return (await readBytes(response, maxBytes)).toString('utf8')
}

/** @throws {SessionFailure} `malformed-answer`, past `maxBytes` */
export async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes)
      throw new SessionFailure('malformed-answer', `expected an answer of at most ${maxBytes} bytes`)
  }
  return Buffer.concat(chunks)
}
