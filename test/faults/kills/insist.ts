/** One call over HTTP that is made again, the very same bytes, until it is answered: when the server was killed as soon as there is one again, and
 *  after 503, which says that nothing changed or that a claim became void (decisions: time, D16). @module */
import type { KillableServer } from '../killable-server.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Answer = { readonly status: number; readonly text: string }

const PAUSE_MS = 100
const LIMIT_MS = 60_000

/** @param begins each attempt waits for it
 *  @throws {Error} if the call breaks off though nobody killed the server */
export async function insist(
  server: KillableServer,
  call: Call,
  begins = (): void | Promise<void> => {},
): Promise<Answer> {
  const { url, ...init } = call
  const untilAt = Date.now() + LIMIT_MS
  while (Date.now() < untilAt) {
    const kills = server.kills()
    await server.isUp()
    await begins()
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(LIMIT_MS) })
      const text = await response.text()
      if (response.status !== 503) return { status: response.status, text }
    } catch (error) {
      if (server.kills() === kills) throw error
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error(`expected an answer to ${call.method} within ${LIMIT_MS} ms`)
}
