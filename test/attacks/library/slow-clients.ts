/** Clients that send a part of a request and then nothing: each holds a connection, and others should not notice. @module */
import { connect, type Socket } from 'node:net'
import { pause } from '../../patience.ts'
import type { Attack } from '../attack.ts'

const OF_EACH = 50
/** Six times as long as a server waits for a request. */
const LONGEST_MS = 60_000
const LOOK_MS = 200

const PARTS = [
  'GET /health HTTP/1.1\r\nHost: x\r\nX-Part: ',
  'POST /session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
  'POST /session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{',
  'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{',
]

export const attack: Attack = {
  name: 'slow-clients',
  gains: 'connections that a server holds for as long as the attacker likes',
  cites: 'spec/session-server#2.4',
  on: 'own servers',
  async run({ start }) {
    const { port, url } = await start('server')
    const health = `${url}/health`
    const open = new Set<Socket>()
    for (const part of PARTS)
      for (let i = 0; i < OF_EACH; i++) {
        const socket = connect({ port, host: '127.0.0.1' })
        open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
        socket.resume()
        if (i % 2 === 0) socket.write(part)
        else socket.end(part) // half open: the server may still answer
      }
    if (!(await fetch(health)).ok) return 'other callers are not answered'
    for (let ms = 0; open.size > 0 && ms < LONGEST_MS; ms += LOOK_MS) await pause(LOOK_MS)
    const left = open.size
    for (const socket of open) socket.destroy()
    return left === 0 ? null : `${left} connections are open after ${LONGEST_MS / 1_000} s`
  },
}
