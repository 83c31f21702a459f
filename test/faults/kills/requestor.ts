/** The `nextSession.url` of a requestor (spec/interface#2.6). It records each post, answers when the test allows it, and gives the same request for the same key.
 *  @module */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { pause } from '../../patience.ts'

export type RequestorCall = { readonly key: string; readonly body: string }

export type Requestor = {
  /** @param request the next session, for posts to this address
   *  @returns the address */
  addressOf(request: object): string
  /** every post so far, repetitions too */
  readonly asked: readonly RequestorCall[]
  /** Resolves with the first post. */
  readonly isAsked: Promise<void>
  /** Posts wait for their answers until the returned function is called. */
  hold(): () => void
  /** sets the ms between a post and its answer, from now on */
  setDelay(delayMs: number): void
  close(): Promise<void>
}

export async function startRequestor(): Promise<Requestor> {
  const asked: RequestorCall[] = []
  const requests: object[] = []
  const answers = new Map<string, string>()
  let held = Promise.resolve()
  let noteAsked = (): void => {}
  const isAsked = new Promise<void>(resolve => {
    noteAsked = resolve
  })
  let delayMs = 0
  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = `${message.headers['idempotency-key']}`
    asked.push({ key, body: await text(message) })
    noteAsked()
    const request = requests[Number(message.url?.slice(1))]
    const body = answers.get(key) ?? JSON.stringify(request)
    answers.set(key, body)
    await held
    await pause(delayMs)
    response.setHeader('content-type', 'application/json').end(body)
  }
  const server = createServer((message, response) => {
    answer(message, response).catch(() => response.destroy()) // the server that posted was killed
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    addressOf: request => `http://127.0.0.1:${port}/${requests.push(request) - 1}`,
    asked,
    isAsked,
    hold() {
      let release = (): void => {}
      held = new Promise(resolve => {
        release = resolve
      })
      return release
    },
    setDelay: ms => {
      delayMs = ms
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
