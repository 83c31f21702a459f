/** The forms of a successful answer (spec 4; success is 200, pairingcompleted excepted). @module */
import type { Context } from 'koa'
import { writeJson } from '../protocol/json.ts'
import type { StoredAnswer } from '../stores/session-store.ts'

export const JSON_TYPE = 'application/json; charset=UTF-8'

/** @param value written with its members in the order given, without a newline at the end: apps read a status as raw text */
export function answerJson(ctx: Context, value: unknown): void {
  answerStored(ctx, storedJson(value))
}

/** The same answer as a value, to be stored and told again. */
export function storedJson(value: unknown, status = 200): StoredAnswer {
  return { status, contentType: JSON_TYPE, body: writeJson(value) }
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

/** 204: the only other success there is. */
export function answerNoContent(ctx: Context): void {
  ctx.status = 204
}
