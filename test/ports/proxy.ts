/** A proxy that answers every request itself, and opens tunnels only if the test names a target. @module */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { listen } from '../../demo/listen.ts'

export type AskedOfProxy = {
  readonly method: string
  /** the text after the method: an address, or host and port of a tunnel */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type ProxyOfTest = {
  readonly address: string
  readonly asked: AskedOfProxy[]
  /** resolves at the next request to the proxy */
  nextAsked(): Promise<void>
  close(): Promise<void>
}

/** @param tunnelPort the port of this machine to which every tunnel leads; without this port no tunnel is opened */
export async function startProxy(tunnelPort?: number): Promise<ProxyOfTest> {
  const asked: AskedOfProxy[] = []
  const waiting: (() => void)[] = []
  const note = (one: AskedOfProxy): void => {
    asked.push(one)
    for (const tell of waiting.splice(0)) tell()
  }
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, response) => {
    const { method = '', url: target = '', headers } = incoming
    let body = ''
    for await (const chunk of incoming) body += String(chunk)
    note({ method, target, headers, body })
    if (!target.endsWith('/silent')) response.end('answered by the proxy')
  })
  server.on('connection', socket => sockets.add(socket))
  server.on('connect', ({ url: target = '', headers }, socket: Socket) => {
    note({ method: 'CONNECT', target, headers, body: '' })
    socket.on('error', () => {})
    if (tunnelPort === undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const far = connect(tunnelPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(far).pipe(socket)
    })
    far.on('error', () => socket.destroy())
  })
  return {
    address: await listen(server, 0, '127.0.0.1'),
    asked,
    nextAsked: () => new Promise(resolve => waiting.push(resolve)),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
