/** The forms of a successful answer (spec/interface#4; success is 200, except for pairingcompleted). @module */
import type { Context } from 'koa'
import { jsonAnswer } from '../sessions/stored-answer.ts'
import type { StoredAnswer } from '../stores/session-store.ts'

export function answerJson(ctx: Context, value: unknown): void {
  answerStored(ctx, jsonAnswer(value))
}

export function answerStored(ctx: Context, answer: StoredAnswer): void {
  ctx.status = answer.status
  // Koa adds a type of its own to a body that has none yet, so it is set first
  if (answer.contentType) ctx.set('Content-Type', answer.contentType)
  ctx.body = answer.body
  if (!answer.contentType) ctx.remove('Content-Type')
}

/** 200 without a body. */
export function answerEmpty(ctx: Context): void {
  answerStored(ctx, { status: 200, contentType: null, body: '' })
}

/** The endpoint of a GET that changes the session, or whose answer does not end. A HEAD only checks the caller.
 *  @param contentType of its answer */
export function exceptHead<Found>(
  contentType: string,
  endpoint: (ctx: Context, found: Found, body: Uint8Array) => Promise<void> | void,
): typeof endpoint {
  return (ctx, found, body) => {
    if (ctx.method !== 'HEAD') return endpoint(ctx, found, body)
    ctx.status = 200
    ctx.set('Content-Type', contentType)
  }
}

/** 204: the only other success there is. */
export function answerNoContent(ctx: Context): void {
  ctx.status = 204
}
