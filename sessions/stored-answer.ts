/** Answers to the wallet app as values. An answer is stored in the commit of its call, sent after the commit, and sent again if the call is repeated.
 *  @module */
import { type RemoteError, remoteErrorObject } from '../protocol/errors.ts'
import { writeJson } from '../protocol/json.ts'
import type { Profile } from '../protocol/profiles.ts'
import { storeOutcome } from './result.ts'

/** An answer to a wallet app; a repeated call gets the same bytes. */
export type StoredAnswer = {
  readonly status: number
  /** null: no body */
  readonly contentType: string | null
  readonly body: string
}

/** Both servers send an answer again for this long after its commit. The time covers every retry of a caller that obeys our `Retry-After`: a 503 is sent after
 *  15 s at most, and a wallet app stops retrying its submission after 60 s. */
export const REPLAY_MS = 90_000

/** True while the answer of that commit may be sent again. */
export function isReplayed(committedAt: number, now: number): boolean {
  return now - committedAt <= REPLAY_MS
}

export const JSON_TYPE = 'application/json; charset=UTF-8'

/** @param value is written with its members in the given order and without a final newline, because apps read a status as raw text */
export function jsonAnswer(value: unknown, status = 200): StoredAnswer {
  return { status, contentType: JSON_TYPE, body: writeJson(value) }
}

/** @param verbose true: includes the stack trace
 *  @param descriptions as `remoteErrorObject` */
export function errorAnswer(
  error: RemoteError,
  verbose: boolean,
  descriptions?: Profile['errorDescriptions'],
): StoredAnswer {
  return jsonAnswer(remoteErrorObject(error, verbose, descriptions), error.status)
}

/** @returns the member `error` of a remote error; undefined: the answer is a success */
export function errorTypeOf({ status, body }: StoredAnswer): string | undefined {
  if (status < 400) return undefined
  const { error }: { readonly error?: unknown } = JSON.parse(body)
  return typeof error === 'string' ? error : undefined
}

/** The answer and the stored result when a remote error cancels its session (spec/decisions#d16). Only the caller gets the stack trace; the stored result does not
 *  have it. */
export function cancelledBy(error: RemoteError, verbose: boolean) {
  return {
    columns: { result: storeOutcome({ error: remoteErrorObject(error) }) },
    answer: errorAnswer(error, verbose),
  }
}
