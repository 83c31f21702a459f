/** An answer that is sent before its request has arrived completely: if a request is refused for its length or its sender, its body is not read first. A client that is still
 *  writing when the connection closes may lose the answer, so the connection closes a little later. Until then arriving bytes are dropped, up to twice the length of
 *  the longest body and for the time that a body may take. @module */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { HttpDeps } from './deps.ts'

/** @param ctx with its answer, which is bytes or a text */
export function closeAfterAnswer(ctx: Context, deps: Pick<HttpDeps, 'settings' | 'clock'>): void {
  const answer = Buffer.isBuffer(ctx.body) ? ctx.body : Buffer.from(String(ctx.body))
  ctx.set('Connection', 'close')
  ctx.body = Readable.from(answerThenRest(answer, ctx.req, deps))
  ctx.length = answer.length // the client need not wait for the end
}

async function* answerThenRest(
  answer: Buffer,
  request: IncomingMessage,
  deps: Pick<HttpDeps, 'settings' | 'clock'>,
): AsyncGenerator<Buffer> {
  yield answer
  await discard(request, deps)
}

function discard(
  request: IncomingMessage,
  { settings: { limits }, clock }: Pick<HttpDeps, 'settings' | 'clock'>,
): Promise<void> {
  return new Promise(resolve => {
    let left = 2 * limits.bodyBytes
    const timer = clock.setTimeout(end, limits.readingMs)
    function end(): void {
      clock.clearTimeout(timer)
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) end()
    })
    for (const event of ['end', 'error', 'close']) request.once(event, end)
    request.resume() // the code that refused the request paused it
  })
}
