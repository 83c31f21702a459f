/** Reads the body of a request, bounded in size and time (spec/decisions#time): a length that is announced and too long is not read at all, a body without
 *  one is read up to the limit. A body that is refused here was not handled, so nothing changes (spec/decisions#d16). koa-body reads the requests of requestors and
 *  frontends; the calls of the wallet app, whose bytes the replay covers, and records of revocation, which are no text, are read by its engine itself. Both
 *  readers return the bytes as they came: koa-body's own decoding would replace what is not UTF-8, and drop a byte order mark, in silence. @module */
import type { Context, Middleware } from 'koa'
import rawBody from 'raw-body'
import { utf8Of } from '../ports/utf8.ts'
import {
  BodyTooLargeError,
  type RemoteError,
  UnavailableError,
  UnsupportedMediaError,
} from '../protocol/errors.ts'
import type { HttpDeps } from './deps.ts'
import { within } from './limit-time.ts'
import { FORM_BYTES } from './limits.ts'
import { whenOver } from './when-over.ts'

/** The error of an endpoint for a body that it refuses (spec/interface#7). */
export type Refusal = new (message: string) => RemoteError

export type BodyDeps = Pick<HttpDeps, 'settings' | 'clock'> & {
  /** reserves room for a body that is about to be read; see `reserveBody` of `Sessions` */
  readonly reserveBody: (bytes: number) => () => void
}

/** @throws Refused for a body that is too long, or compressed. A profile whose `unreadBody` is `own-status` has {BodyTooLargeError} and {UnsupportedMediaError} for them
 *  @throws {NoRoomForBodyError} when this node holds too many bytes of other bodies
 *  @throws {UnavailableError} for one that did not arrive whole, or not in time */
export type ReadBody = (ctx: Context, Refused: Refusal) => Promise<Uint8Array>

type ReadWhole = (ctx: Context) => Promise<Uint8Array>

/** The reader of bodies that are needed as bytes. */
export function bytesReader(deps: BodyDeps): ReadBody {
  return boundedReader(engine(deps.settings.limits.bodyBytes), deps)
}

/** Loads koa-body. Its 80 files take 100 ms, so they are loaded with the first body and not with the server. */
async function loadReader(limit: number): Promise<Middleware> {
  const { HttpMethodEnum, koaBody } = await import('koa-body')
  return koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: ['*/*'],
    // without an encoding koa-body returns the bytes
    encoding: '',
    textLimit: `${limit}b`,
    parsedMethods: [HttpMethodEnum.POST],
  })
}

/** The reader of texts: the parsers of `protocol/` accept a text of any content type (`textOf`). */
export function textReader(deps: BodyDeps): ReadBody {
  const limit = deps.settings.limits.bodyBytes
  const readByEngine = engine(limit)
  let loading: ReturnType<typeof loadReader> | undefined
  return boundedReader(async ctx => {
    loading ??= loadReader(limit)
    const readByType = await loading
    await readByType(ctx, async () => {})
    const body: unknown = ctx.request.body
    ctx.request.body = null // else the bytes would stay until the call is answered
    // koa-body does not read the body of a request without a valid content type
    return Buffer.isBuffer(body) ? body : readByEngine(ctx)
  }, deps)
}

/** The reader of the forms of a page. They are short, and their refusal has its own status in every profile. */
export function formReader(deps: BodyDeps): ReadBody {
  const { limits, profile, ...rest } = deps.settings
  const settings = {
    ...rest,
    limits: { ...limits, bodyBytes: FORM_BYTES },
    profile: { ...profile, unreadBody: 'own-status' } as const,
  }
  return textReader({ ...deps, settings })
}

function engine(limit: number): ReadWhole {
  return ({ req }) => rawBody(req, { limit, length: req.headers['content-length'] ?? null })
}

function boundedReader(read: ReadWhole, { settings, clock, reserveBody }: BodyDeps): ReadBody {
  const { limits, profile } = settings
  const { bodyBytes: limit, readingMs } = limits
  const hasOwn = profile.unreadBody === 'own-status'
  return async (ctx, Refused) => {
    const TooLarge = hasOwn ? BodyTooLargeError : Refused
    const refuse = (error: unknown): never => {
      if (!isTooLarge(error)) throw new UnavailableError('the body did not arrive whole', { cause: error })
      throw tooLong(limit, TooLarge)
    }
    try {
      refuseEncoding(ctx.get('Content-Encoding'), hasOwn ? UnsupportedMediaError : Refused)
      const bytes = bytesToCome(ctx, limit)
      if (bytes > limit) throw tooLong(limit, TooLarge)
      whenOver(ctx, reserveBody(bytes))
      return await within(clock, readingMs, 'reading the body', read(ctx).catch(refuse))
    } finally {
      // on a connection that stays open, the server would read the rest of the body as the next request
      if (!ctx.req.complete) ctx.set('Connection', 'close')
    }
  }
}

/** @returns the announced length; 0 without a body; `limit` for a body whose length is not announced */
function bytesToCome(ctx: Context, limit: number): number {
  const announced = ctx.get('Content-Length')
  if (announced === '') return ctx.get('Transfer-Encoding') === '' ? 0 : limit
  return Number(announced)
}

/** No compression: nothing needs it, and a short body could become a long one. */
function refuseEncoding(encoding: string, Refused: Refusal): void {
  if (encoding === '' || encoding === 'identity') return
  throw new Refused(`body: expected no Content-Encoding, got ${JSON.stringify(encoding.slice(0, 40))}`)
}

function tooLong(limit: number, Refused: Refusal): RemoteError {
  return new Refused(`body: expected at most ${limit} bytes, got more`)
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large'
}

/** The body as UTF-8, the only encoding of JSON and of JWTs. A charset in the content type is ignored.
 *  @throws Refused for other bytes */
export function textOf(body: Uint8Array, Refused: Refusal): string {
  const text = utf8Of(body)
  if (text === null) throw new Refused('body: expected UTF-8, got other bytes')
  return text
}
