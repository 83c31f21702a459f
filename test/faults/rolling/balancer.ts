/** A small load balancer for tests: round robin over the ready nodes, on connections that are kept. It hides no failure, since it retries no call,
 *  and it records each call without a good answer. @module */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pause } from '../../patience.ts'

/** The pause between two readiness checks of a node. */
const ASK_EVERY_MS = 50

export type Balancer = {
  readonly port: number
  /** calls of clients with no answer, or with 500 and above, in words */
  readonly failures: readonly string[]
  /** answered calls, by the port of the node */
  readonly answered: ReadonlyMap<number, number>
  readonly isReady: (port: number) => boolean
  readonly close: () => void
}

type Node = { readonly port: number; readonly agent: Agent; isReady: boolean }

/** @param ports of the nodes */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const nodes = ports.map((port): Node => ({ port, agent: new Agent({ keepAlive: true }), isReady: false }))
  const failures: string[] = []
  const answered = new Map<number, number>()
  let next = 0
  const choose = (): Node | undefined => {
    const ready = nodes.filter(({ isReady }) => isReady)
    return ready[next++ % ready.length]
  }
  let isClosed = false
  for (const node of nodes)
    void (async () => {
      for (; !isClosed; await pause(ASK_EVERY_MS)) await look(node)
    })()
  const server = createServer((asked, answer) => {
    const node = choose()
    const fail = (why: string): void => {
      failures.push(`${asked.method} ${asked.url} at ${node?.port}: ${why}`)
      if (!answer.headersSent) answer.writeHead(502)
      answer.end()
    }
    if (!node) return fail('no node is ready')
    forward(asked, answer, node, fail).then(isAnswered => {
      if (isAnswered) answered.set(node.port, (answered.get(node.port) ?? 0) + 1)
    }, fail)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // the server listens on a port
  return {
    port,
    failures,
    answered,
    isReady: of => nodes.some(node => node.port === of && node.isReady),
    close() {
      isClosed = true
      for (const { agent } of nodes) agent.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function look(node: Node): Promise<void> {
  const options = { port: node.port, host: '127.0.0.1', path: '/health/ready', agent: false }
  const asked = request(options).end()
  try {
    const [answer] = await once(asked, 'response')
    node.isReady = answer.statusCode === 200
    answer.resume()
  } catch {
    node.isReady = false
  }
}

/** @returns true if the node gave a good answer */
async function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  { port, agent }: Node,
  fail: (why: string) => void,
): Promise<boolean> {
  const { method, url: path, headers } = asked
  const { connection: _, ...passed } = headers
  const sent = request({ port, host: '127.0.0.1', agent, method, path, headers: passed })
  answer.once('close', () => sent.destroy()) // its client has disconnected, or has the whole answer
  asked.pipe(sent)
  try {
    const [got] = await once(sent, 'response')
    const { connection: _own, 'keep-alive': _time, 'transfer-encoding': _form, ...told } = got.headers
    answer.writeHead(got.statusCode, told)
    got.pipe(answer)
    await once(got, 'end')
    if (got.statusCode >= 500) fail(`${got.statusCode}`)
    return got.statusCode < 500
  } catch (error) {
    if (!answer.destroyed) fail(String(error))
    return false
  }
}
