/** The form of answers about revocation (spec/cryptography#14.7): CBOR, errors too. @module */
import type { Context } from 'koa'
import type { RemoteErrorObject } from '../../protocol/errors.ts'
import { encodeRemoteError } from '../../protocol/revocation-cbor.ts'

/** @param maxAgeSec for caches between server and client */
export function answerCbor(ctx: Context, bytes: Uint8Array, maxAgeSec: number): void {
  ctx.set('Cache-Control', `max-age=${maxAgeSec}`)
  answerBytes(ctx, 200, bytes)
}

export function answerCborError(ctx: Context, error: RemoteErrorObject): void {
  answerBytes(ctx, error.status, encodeRemoteError(error))
}

function answerBytes(ctx: Context, status: number, bytes: Uint8Array): void {
  ctx.status = status
  ctx.set('Content-Type', 'application/octet-stream')
  ctx.body = Buffer.from(bytes)
}
