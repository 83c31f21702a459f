/** Repeats one call over HTTP, with the same bytes, until it is answered. After a kill, the call waits until the server is up again. After 503, nothing
 *  has changed or a claim is void (spec/decisions#time, #d16), so the call is repeated. @module */
import { inTime, pause, untilThere } from '../../patience.ts'
import type { KillableServer } from '../killable-server.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Answer = { readonly status: number; readonly text: string }

const PAUSE_MS = 100

/** @param begins is called before each attempt, which waits for it
 *  @throws {Error} if the call breaks off without a kill */
export async function insist(
  server: KillableServer,
  call: Call,
  begins = (): void | Promise<void> => {},
): Promise<Answer> {
  const { url, ...init } = call
  const tryOnce = async (): Promise<Answer | null> => {
    const kills = server.kills()
    await server.isUp()
    await begins()
    try {
      const answer = await inTime(answerOf(url, init), 'an answer')
      return answer.status === 503 ? null : answer
    } catch (error) {
      if (server.kills() === kills) throw error
      return null
    }
  }
  return untilThere(tryOnce, `an answer to ${call.method}`, () => pause(PAUSE_MS))
}

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  return { status: response.status, text: await response.text() }
}
