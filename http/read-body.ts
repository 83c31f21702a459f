/** Reads the body of a request as it is: the replay of an app's call covers its bytes, and the parsers of `protocol/` want the text, whatever the
 *  content type. Bounded in size and time (decisions: `time`): a length that is announced and too long is not read at all, a body without one up to
 *  the limit. A body that is refused here was not handled, so nothing changes (D16). @module */
import type { Context } from 'koa'
import { HttpMethodEnum, koaBody } from 'koa-body'
import { type RemoteError, Unavailable } from '../protocol/errors.ts'
import type { ServerDeps } from './deps.ts'
import { within } from './limit-time.ts'

/** The error of an endpoint for a body that it cannot take (spec 7). */
type Refusal = new (message: string) => RemoteError

/** By limit: koa-body takes longer to make a reader, since it checks its options, than the reader takes for a usual body. */
const readers = new Map<number, ReturnType<typeof koaBody>>()

/** One character for each byte, whatever bytes they are. */
const BYTEWISE = 'latin1'
/** koa-body reads by content type, and nothing without one; apps may send any. */
const READ_AS = 'text/plain'

export type BodyDeps = Pick<ServerDeps, 'settings' | 'clock' | 'sessions'>

/** @throws Refused for a body that is too long, or compressed
 *  @throws {NoRoomForBody} when this node holds too many bytes of other bodies
 *  @throws {Unavailable} for one that did not arrive whole, or not in time */
export async function readBody(
  ctx: Context,
  { settings: { limits }, clock, sessions }: BodyDeps,
  Refused: Refusal,
): Promise<Uint8Array> {
  try {
    refuseEncoding(ctx.get('Content-Encoding'), Refused)
    ctx.res.once('close', sessions.reserveBody(bytesToCome(ctx, limits.bodyBytes)))
    const reading = readWhole(ctx, limits.bodyBytes)
    const bytes = await within(clock, limits.readingMs, 'reading the body', reading)
    if (bytes === null) throw new Refused(`body: expected at most ${limits.bodyBytes} bytes, got more`)
    return bytes
  } finally {
    // what is still to come would be taken for the next request
    if (!ctx.req.complete) ctx.set('Connection', 'close')
  }
}

/** A body whose length is not announced may be as long as any; of one that is announced as too long nothing is read. */
function bytesToCome(ctx: Context, limit: number): number {
  const announced = ctx.get('Content-Length')
  if (announced === '') return ctx.get('Transfer-Encoding') === '' ? 0 : limit
  return Number(announced) > limit ? 0 : Number(announced)
}

/** No compression: nothing needs it, and a short body could become a long one. */
function refuseEncoding(encoding: string, Refused: Refusal): void {
  if (encoding === '' || encoding.toLowerCase() === 'identity') return
  throw new Refused(`body: expected no Content-Encoding, got ${JSON.stringify(encoding.slice(0, 40))}`)
}

function readerOf(limit: number) {
  const reader =
    readers.get(limit) ??
    koaBody({
      ...{ json: false, urlencoded: false, multipart: false, text: true },
      ...{ encoding: BYTEWISE, textLimit: `${limit}b`, parsedMethods: [HttpMethodEnum.POST] },
    })
  readers.set(limit, reader)
  return reader
}

/** @returns null when there are more bytes than `limit` */
async function readWhole(ctx: Context, limit: number): Promise<Uint8Array | null> {
  const { headers } = ctx.req
  const type = headers['content-type']
  headers['content-type'] = READ_AS
  try {
    await readerOf(limit)(ctx, async () => {})
    const text: unknown = ctx.request.body // nothing where no body was announced
    ctx.request.body = null // a second copy would stay until the call is answered
    return Buffer.from(typeof text === 'string' ? text : '', BYTEWISE)
  } catch (error) {
    if (!isTooLarge(error)) throw new Unavailable('the body did not arrive whole', { cause: error })
    return null
  } finally {
    if (type === undefined) delete headers['content-type']
    else headers['content-type'] = type
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large'
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
