/** A body without end, whose length is not announced. @module */
import { connect } from 'node:net'
import type { Attack } from '../attack.ts'

const CHUNK = Buffer.alloc(2 ** 20, 0x20)
/** Several times the limit of a body, and more than the system keeps of a connection. */
const MOST_BYTES = 64 * 2 ** 20

export const attack: Attack = {
  name: 'endless-body',
  gains: 'memory of the server, as much as the attacker sends',
  cites: 'spec/session-server#2.4',
  on: 'own servers',
  async run({ start }) {
    const { port } = await start('server')
    for (const path of ['/session', '/revocation', '/nowhere']) {
      const bytes = await taken(port, path)
      if (bytes >= MOST_BYTES) return `POST ${path} takes ${bytes} bytes`
    }
    return null
  },
}

/** @returns how many bytes were sent before the server ended the connection */
async function taken(port: number, path: string): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' })
  let isOpen = true
  let goOn = (): void => {}
  socket.on('error', () => {})
  socket.on('drain', () => goOn())
  socket.on('close', () => {
    isOpen = false
    goOn()
  })
  socket.resume()
  const head = ['Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  socket.write([`POST ${path} HTTP/1.1`, ...head, '', ''].join('\r\n'))
  let bytes = 0
  while (isOpen && bytes < MOST_BYTES) {
    socket.write(`${CHUNK.length.toString(16)}\r\n`)
    socket.write(CHUNK)
    bytes += CHUNK.length
    if (!socket.write('\r\n') && isOpen)
      await new Promise<void>(resolve => {
        goOn = resolve
      })
  }
  socket.destroy()
  return bytes
}
