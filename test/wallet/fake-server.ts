/** A session server over real HTTP with answers from a test. It records its calls. @module */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../ports/clock.ts'
import { NOW_SEC } from './support.ts'

export type ReceivedCall = {
  /** such as `GET /request`: the path below the session */
  readonly call: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Answer = (response: ServerResponse, asked: ReceivedCall) => void

type PlainAnswer = (response: ServerResponse) => void

export type FakeServer = {
  /** `u` of a session pointer */
  readonly u: string
  readonly asked: readonly ReceivedCall[]
  close(): Promise<void>
}

export function json(body: unknown, status = 200): PlainAnswer {
  return text(JSON.stringify(body), status)
}

export function text(
  body: string,
  status = 200,
  contentType = 'application/json; charset=UTF-8',
): PlainAnswer {
  return response => {
    response.writeHead(status, { 'Content-Type': contentType })
    response.end(body)
  }
}

/** An event stream of these frames; it stays open. */
export function stream(...frames: readonly string[]): Answer {
  return response => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.flushHeaders()
    for (const frame of frames) response.write(frame)
  }
}

export const broken: Answer = response => response.destroy()
export const silent: Answer = () => undefined

/** @param answers by call; several answers are given one after the other, and the last one is repeated; a call without answers gets 404 */
export async function startFakeServer(
  prefix: string,
  answers: Readonly<Record<string, Answer | readonly Answer[]>>,
): Promise<FakeServer> {
  const path = `${prefix}/session/TOKEN0123456789abcdef`
  const asked: ReceivedCall[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const call = `${request.method} ${request.url?.replace(path, '')}`
    const times = asked.filter(before => before.call === call).length
    const each = { call, headers: request.headers, body }
    asked.push(each)
    const known = [answers[call] ?? []].flat()
    const answer =
      known[Math.min(times, known.length - 1)] ?? json({ status: 404, error: 'INVALID_REQUEST' }, 404)
    answer(response, each)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on TCP
  return {
    u: `http://127.0.0.1:${port}${path}`,
    asked,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A timer that never ends. */
export const NEVER = {}

/** A clock that does not wait: timers of up to `upToMs` end at once, longer ones never. */
export function hastyClock(upToMs = 1000): Clock & { readonly waits: readonly number[] } {
  const waits: number[] = []
  return {
    waits,
    now: () => NOW_SEC * 1000,
    wallNow: () => NOW_SEC * 1000,
    setTimeout: (action, ms) => {
      waits.push(ms)
      return ms <= upToMs ? setImmediate(action) : NEVER
    },
    clearTimeout: timer => {
      if (timer !== NEVER) clearImmediate(timer as NodeJS.Immediate) // a value of this clock
    },
  }
}
