/** A requestor that is asked for the next session of a chain: it always wants the same, and remembers by which key it was asked. @module */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RequestorOfChains = {
  readonly url: string
  /** values of `Idempotency-Key`, with the requestor token in the posted result */
  readonly asked: { readonly key: string; readonly token: string; readonly status: string }[]
  close(): void
}

/** @param next its answer: a session request */
export async function requestorOfChains(next: object): Promise<RequestorOfChains> {
  const asked: RequestorOfChains['asked'] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const { token, status } = JSON.parse(body)
    asked.push({ key: String(req.headers['idempotency-key']), token, status })
    res.end(JSON.stringify(next))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
