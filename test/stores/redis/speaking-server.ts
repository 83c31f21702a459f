/** A server that says to each connection, in the words of Redis, what a test wants it to say. @module */
import { createServer, type Socket } from 'node:net'
import type { HostAndPort } from '../../../stores/redis/address.ts'

export type SpeakingServer = {
  readonly at: HostAndPort
  /** the commands that came, in their order */
  readonly asked: readonly string[][]
  /** the number of connections that are open */
  readonly connections: () => number
  /** Ends all connections. */
  readonly drop: () => void
  readonly close: () => void
}

export const OK = '+OK\r\n'
export const NOTHING = '_\r\n'

export function textOf(value: string): string {
  return `$${value.length}\r\n${value}\r\n`
}

export function listOf(...values: readonly string[]): string {
  return `*${values.length}\r\n${values.map(textOf).join('')}`
}

/** How a server greets a connection and lets it hear others; null: it is another command. */
function welcome([name = '', channel = '']: readonly string[]): string | null {
  if (name === 'HELLO') return `%1\r\n${textOf('server')}${textOf('redis')}`
  return name === 'subscribe' ? `>3\r\n${textOf('subscribe')}${textOf(channel)}:1\r\n` : null
}

/** @param answer null: nothing is said; undefined: what every server says to this command */
export async function speakingServer(
  answer: (command: readonly string[]) => string | null | undefined,
): Promise<SpeakingServer> {
  const asked: string[][] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    let rest = ''
    sockets.add(socket)
    socket.on('error', () => {}) // its end follows
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', chunk => {
      rest += chunk
      for (let found = firstCommand(rest); found; found = firstCommand(rest)) {
        rest = rest.slice(found.length)
        asked.push(found.words)
        const said = answer(found.words)
        const spoken = said === undefined ? welcome(found.words) : said
        if (spoken !== null) socket.write(spoken)
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    ...{ at: { host: '127.0.0.1', port: address.port }, asked, drop },
    connections: () => sockets.size,
    close() {
      server.close()
      drop()
    },
  }
}

/** @returns null: it has not come as a whole */
function firstCommand(text: string): { readonly words: string[]; readonly length: number } | null {
  const [head = '', count = ''] = /^\*(\d+)\r\n/.exec(text) ?? []
  if (head === '') return null
  const words: string[] = []
  let at = head.length
  while (words.length < Number(count)) {
    const [begin = '', length = ''] = /^\$(\d+)\r\n/.exec(text.slice(at)) ?? []
    const end = at + begin.length + Number(length)
    if (begin === '' || text.length < end + 2) return null
    words.push(text.slice(at + begin.length, end))
    at = end + 2
  }
  return { words, length: at }
}
