/** A receiver of callbacks that fails half the time, with an error, a broken connection or a redirect. It can be
 *  restarted on its port. @module */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { freePort } from '../cli/run-svc.ts'

export type Received = {
  /** values of `Idempotency-Key` */
  readonly keys: Set<string>
  readonly bodies: Set<string>
  isAccepted: boolean
}

export type CallbackReceiver = {
  readonly url: string
  /** by requestor token */
  readonly received: ReadonlyMap<string, Received>
  restart(): Promise<void>
  close(): void
}

const FAILURES: readonly ((res: ServerResponse) => void)[] = [
  res => res.writeHead(500).end('no'),
  res => res.destroy(),
  res => res.writeHead(307, { Location: '/elsewhere' }).end(),
  res => res.writeHead(404).end(),
]

export async function callbackReceiver(): Promise<CallbackReceiver> {
  const port = await freePort()
  const received = new Map<string, Received>()
  let count = 0
  const start = async (): Promise<Server> => {
    const server = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      const { token } = JSON.parse(body)
      const one = received.get(token) ?? { keys: new Set(), bodies: new Set(), isAccepted: false }
      received.set(token, one)
      one.keys.add(String(req.headers['idempotency-key']))
      one.bodies.add(body)
      count += 1
      const fail = count % 2 === 0 ? FAILURES[(count / 2) % FAILURES.length] : undefined
      if (fail) return fail(res)
      one.isAccepted = true
      res.writeHead(count % 3 === 0 ? 200 : 204).end()
    })
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    return server
  }
  let server = await start()
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url: `http://127.0.0.1:${port}/path-of-the-shop?secret=of-the-shop`,
    received,
    async restart() {
      close()
      server = await start()
    },
    close,
  }
}
