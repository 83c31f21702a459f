/** The remote error in an answer, in JSON or CBOR. @module */
import { decode } from 'cborg'
import type { Answer } from './send.ts'

export type RemoteErrorText = { readonly status: number; readonly error: string }

/** @returns null if the answer holds none, or one of another status */
export function remoteErrorIn({ status, type, body }: Answer): RemoteErrorText | null {
  const { status: told, error } = Object(type.includes('json') ? jsonOf(body) : cborOf(body))
  return told === status && typeof error === 'string' ? { status, error } : null
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

function cborOf(body: Buffer): unknown {
  try {
    return decode(body)
  } catch {
    return null
  }
}
