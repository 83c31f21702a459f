/** Answers to the wallet app as values: stored in the commit of their call, sent after it, and sent again to the same call. @module */
import { type RemoteError, remoteErrorObject } from '../protocol/errors.ts'
import { writeJson } from '../protocol/json.ts'
import type { Profile } from '../protocol/profiles.ts'
import { storeOutcome } from './result.ts'

/** Bytes of an answer to a wallet app, as sent and as sent again. */
export type StoredAnswer = {
  readonly status: number
  /** null: no body */
  readonly contentType: string | null
  readonly body: string
}

export const JSON_TYPE = 'application/json; charset=UTF-8'

/** @param value written with its members in the order given, without a newline at the end: apps read a status as raw text */
export function jsonAnswer(value: unknown, status = 200): StoredAnswer {
  return { status, contentType: JSON_TYPE, body: writeJson(value) }
}

/** @param verbose with the stack trace
 *  @param descriptions as `remoteErrorObject` */
export function errorAnswer(
  error: RemoteError,
  verbose: boolean,
  descriptions?: Profile['errorDescriptions'],
): StoredAnswer {
  return jsonAnswer(remoteErrorObject(error, verbose, descriptions), error.status)
}

/** @returns `error` of a remote error; undefined: the answer is a success */
export function errorTypeOf({ status, body }: StoredAnswer): string | undefined {
  if (status < 400) return undefined
  const { error }: { readonly error?: unknown } = JSON.parse(body)
  return typeof error === 'string' ? error : undefined
}

/** What a call leaves behind when a remote error cancels its session (D16): the result is that error, the stack trace is for the caller alone. */
export function cancelledBy(error: RemoteError, verbose: boolean) {
  return {
    columns: { result: storeOutcome({ error: remoteErrorObject(error) }) },
    answer: errorAnswer(error, verbose),
  }
}
