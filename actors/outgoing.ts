/** Calls that this server makes to others: the addresses come from requestors and schemes, so nothing that answers there is trusted. Every call is
 *  bounded in time and size, follows no redirect and sends no credentials. No error says where it was sent: an address may hold a secret. @module */
import type { Clock } from './clock.ts'

export type OutgoingAnswer = { readonly status: number; readonly text: string }

export type OutgoingMessage = {
  readonly body: string
  readonly contentType: string
  /** equal for every repetition of the same message */
  readonly idempotencyKey: string
}

/** No answer, or none that is wanted: unreachable, too late, too long. An answer with any status is none of these. */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure'
}

export interface Outgoing {
  /** Within 8 s. @throws {OutgoingFailure} */
  post(url: string, message: OutgoingMessage): Promise<OutgoingAnswer>
  /** Within 4 s. @throws {OutgoingFailure} */
  get(url: string): Promise<OutgoingAnswer>
}

export type OutgoingDeps = { readonly fetch: typeof globalThis.fetch; readonly clock: Clock }

const POST_MS = 8_000
const GET_MS = 4_000
const MAX_BYTES = 2 ** 20

export function createOutgoing(deps: OutgoingDeps): Outgoing {
  return {
    post: (url, { body, contentType, idempotencyKey }) =>
      call(deps, url, POST_MS, {
        method: 'POST',
        headers: { 'Content-Type': contentType, 'Idempotency-Key': idempotencyKey },
        body,
      }),
    get: url => call(deps, url, GET_MS, { method: 'GET' }),
  }
}

async function call(deps: OutgoingDeps, url: string, ms: number, init: RequestInit): Promise<OutgoingAnswer> {
  assertAddress(url)
  const { fetch, clock } = deps
  const abort = new AbortController()
  let isLate = false
  const timer = clock.setTimeout(() => {
    isLate = true
    abort.abort()
  }, ms)
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: abort.signal })
    return { status: response.status, text: await textOf(response) }
  } catch (error) {
    if (error instanceof OutgoingFailure) throw error
    // whatever fetch says may quote the address
    throw new OutgoingFailure(
      isLate ? `expected an answer within ${ms} ms, got none` : 'expected an answer, got none',
    )
  } finally {
    clock.clearTimeout(timer)
    abort.abort() // a body that is not wanted to its end
  }
}

/** @throws {OutgoingFailure} for what is no address of a server, or has a user's name or password in it */
function assertAddress(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:')
    throw new OutgoingFailure('expected an http or https URL, got something else')
  if (parsed.username !== '' || parsed.password !== '')
    throw new OutgoingFailure('expected a URL without a user name, got one with it')
}

/** Counts what arrives, unpacked: a length that is announced proves nothing. A text that is not UTF-8 is refused, as in the body of a call: what would stand
 *  in its place could be signed. */
async function textOf(response: Response): Promise<string> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.byteLength
    if (length > MAX_BYTES)
      throw new OutgoingFailure(`expected an answer of at most ${MAX_BYTES} bytes, got more`)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new OutgoingFailure('expected UTF-8, got other bytes')
  }
}
