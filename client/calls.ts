/** One call of a server, and what it refuses. @module */
import type { RemoteErrorObject } from '../protocol/errors.ts'

export type Fetch = typeof globalThis.fetch

export type Sent = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> }

/** @returns the text of the answer */
export type Ask = (method: 'GET' | 'POST' | 'DELETE', url: string, sent?: Sent) => Promise<string>

/** What the server says instead of what was asked for. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal'
  /** HTTP status */
  readonly status: number
  /** the type of the error, such as `UNAUTHORIZED`; empty: the answer was not one of a session server */
  readonly type: string

  constructor(status: number, error: Partial<RemoteErrorObject>) {
    super(
      error.message ?? error.description ?? `expected an answer of a session server, got status ${status}`,
    )
    this.status = status
    this.type = error.error ?? ''
  }
}

export function asking(fetch: Fetch): Ask {
  return async (method, url, sent = {}) => {
    const response = await fetch(url, { method, ...sent })
    const text = await response.text()
    if (response.ok) return text
    throw new ServerRefusal(response.status, errorIn(text))
  }
}

function errorIn(text: string): Partial<RemoteErrorObject> {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? json : {}
  } catch {
    return {} // of a proxy, for instance
  }
}
