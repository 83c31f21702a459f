/** Endpoints that the server calls: callbacks, and the URLs for a next session. @module */

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** A call of the server; its body is secret. */
export type PostedCall = { readonly path: string; readonly body: string; readonly type: string }

export type OtherServers = {
  /** @param next the request of a next session; null: the posted data are only accepted
   *  @returns an address that answers so */
  expect(next: object | null): { readonly url: string; readonly posted: Promise<PostedCall> }
  close(): Promise<void>
}

const MAX_BODY_BYTES = 2 ** 20

/** @param address at which the server reaches this process; null: the loopback address
 *  @throws the system's error about the port */
export async function listenForOthers(address: string | null): Promise<OtherServers> {
  const waiting = new Map<string, { next: object | null; take: (posted: PostedCall) => void }>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    readBody(request, body => {
      const asked = waiting.get(path)
      asked?.take({ path, body, type: request.headers['content-type'] ?? '' })
      response.writeHead(asked === undefined ? 404 : asked.next === null ? 204 : 200, {
        'Content-Type': 'application/json',
      })
      response.end(asked?.next ? JSON.stringify(asked.next) : undefined)
    })
  })
  const port = address === null ? 0 : Number(new URL(address).port)
  server.listen(port, address === null ? '127.0.0.1' : undefined)
  await once(server, 'listening')
  const bound = server.address()
  const own = typeof bound === 'object' && bound !== null ? `http://127.0.0.1:${bound.port}` : ''
  let count = 0
  return {
    expect(next) {
      const path = `/${++count}`
      const posted = new Promise<PostedCall>(take => waiting.set(path, { next, take }))
      return { url: `${address ?? own}${path}`, posted }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reads a body, and ignores one that is too long. */
function readBody(request: IncomingMessage, take: (body: string) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_BODY_BYTES) request.destroy()
    else chunks.push(chunk)
  })
  request.on('end', () => take(Buffer.concat(chunks).toString('utf8')))
}
