/** Reads the body of a request as it is: the replay of an app's call covers its bytes, and the parsers of `protocol/` want the text, whatever the
 *  content type. Bounded in size and time (decisions: `time`); a body that is refused here was not handled, so nothing changes (D16). @module */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { type RemoteError, Unavailable } from '../protocol/errors.ts'
import type { ServerDeps } from './deps.ts'
import { within } from './limit-time.ts'

/** The error of an endpoint for a body that it cannot take (spec 7). */
type Refusal = new (message: string) => RemoteError

/** @throws Refused for a body that is too long, or compressed
 *  @throws {Unavailable} for one that did not arrive whole, or not in time */
export async function readBody(
  ctx: Context,
  { settings: { limits }, clock }: Pick<ServerDeps, 'settings' | 'clock'>,
  Refused: Refusal,
): Promise<Uint8Array> {
  try {
    refuseEncoding(ctx.get('Content-Encoding'), Refused)
    const reading = readWhole(ctx.req, limits.bodyBytes)
    const bytes = await within(clock, limits.readingMs, 'reading the body', reading)
    if (bytes === null) throw new Refused(`body: expected at most ${limits.bodyBytes} bytes, got more`)
    return bytes
  } finally {
    // what is still to come would be taken for the next request
    if (!ctx.req.complete) ctx.set('Connection', 'close')
  }
}

/** No compression: nothing needs it, and a short body could become a long one. */
function refuseEncoding(encoding: string, Refused: Refusal): void {
  if (encoding === '' || encoding.toLowerCase() === 'identity') return
  throw new Refused(`body: expected no Content-Encoding, got ${JSON.stringify(encoding.slice(0, 40))}`)
}

/** A client that is still writing when the connection closes may lose the answer, so as much again as the limit is read and thrown
 *  away; more is not.
 *  @returns null when there are more bytes than `limit` */
function readWhole(req: IncomingMessage, limit: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const isTooLong = (): boolean => length > limit || Number(req.headers['content-length']) > limit
    const breakOff = (): void => {
      if (isTooLong()) resolve(null)
      else if (!req.readableEnded) reject(new Unavailable('the body did not arrive whole'))
    }
    if (!req.readable) breakOff()
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (!isTooLong()) chunks.push(chunk)
      else if (length > 2 * limit) resolve(null)
    })
    req.once('end', () => resolve(isTooLong() ? null : Buffer.concat(chunks)))
    req.once('error', breakOff).once('close', breakOff)
  })
}

/** The only encoding of JSON, and of a JWT, whatever a charset says.
 *  @throws Refused for other bytes */
export function textOf(body: Uint8Array, Refused: Refusal): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new Refused('body: expected UTF-8, got other bytes')
  }
}
