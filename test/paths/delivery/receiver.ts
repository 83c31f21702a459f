/** A receiver of callbacks over real HTTP. It holds each post until the test chooses the answer. @module */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Post = { readonly method: string; readonly key: string; readonly body: string }

export type Receiver = {
  readonly url: string
  /** everything that was posted to it */
  readonly posts: readonly Post[]
  /** posts that wait for their answers */
  readonly waiting: ServerResponse[]
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const posts: Post[] = []
  const waiting: ServerResponse[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', headers } = request
    posts.push({ method, key: String(headers['idempotency-key']), body })
    waiting.push(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // the server listens on a port
  return {
    url: `http://127.0.0.1:${port}/done`,
    posts,
    waiting,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
