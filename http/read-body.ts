/** Reads the body of a request as it is: the replay of an app's call covers its bytes, and the parsers of `protocol/` want the text, whatever the
 *  content type. Bounded in size and time (decisions: `time`); a body that is refused here was not handled, so nothing changes (D16). @module */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { type RemoteError, Unavailable } from '../protocol/errors.ts'
import type { ServerDeps } from './deps.ts'
import { within } from './limit-time.ts'

export type Body = {
  readonly bytes: Uint8Array
  /** null: the bytes are not UTF-8, the only encoding of JSON and of a JWT */
  readonly text: string | null
}

/** @param Refused the error of the endpoint for a body that it cannot take (spec 7)
 *  @throws Refused for a body that is too long, or compressed
 *  @throws {Unavailable} for one that did not arrive whole, or not in time */
export async function readBody(
  ctx: Context,
  { settings: { limits }, clock }: Pick<ServerDeps, 'settings' | 'clock'>,
  Refused: new (message: string) => RemoteError,
): Promise<Body> {
  try {
    refuseEncoding(ctx.get('Content-Encoding'), Refused)
    const reading = collect(ctx.req, limits.bodyBytes)
    const bytes = await within(clock, limits.readingMs, 'reading the body', reading)
    if (bytes === null) throw new Refused(`body: expected at most ${limits.bodyBytes} bytes, got more`)
    return { bytes, text: textOf(bytes) }
  } finally {
    // what is still to come would be taken for the next request
    if (!ctx.req.complete) ctx.set('Connection', 'close')
  }
}

/** No compression: nothing needs it, and a short body could become a long one. */
function refuseEncoding(encoding: string, Refused: new (message: string) => RemoteError): void {
  if (encoding === '' || encoding.toLowerCase() === 'identity') return
  throw new Refused(`body: expected no Content-Encoding, got ${JSON.stringify(encoding.slice(0, 40))}`)
}

/** All bytes, or null when there are more than `limit`. Somewhat more is read and thrown away, because a client that is still writing when the
 *  connection closes may lose the answer; far more is not. */
function collect(req: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (length > 2 * limit) resolve(null)
    })
    req.once('end', () => resolve(length > limit ? null : Buffer.concat(chunks)))
    req.once('error', () => reject(new Unavailable('the body did not arrive whole')))
    req.once('close', () => reject(new Unavailable('the body did not arrive whole')))
  })
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
