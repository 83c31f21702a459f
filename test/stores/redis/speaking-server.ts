/** A server in the protocol of Redis whose answers to each connection are chosen by a test. @module */
import { createServer, type Socket } from 'node:net'
import type { HostAndPort } from '../../../stores/redis/address.ts'

export type SpeakingServer = {
  readonly at: HostAndPort
  /** the received commands, in their order */
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

/** The answer to a greeting or to a subscription; null for any other command. */
function welcome([name = '', channel = '']: readonly string[]): string | null {
  if (name === 'HELLO') return `%1\r\n${textOf('server')}${textOf('redis')}`
  return name === 'subscribe' ? `>3\r\n${textOf('subscribe')}${textOf(channel)}:1\r\n` : null
}

/** @param answer null: no answer; undefined: the usual answer to this command */
export async function speakingServer(
  answer: (command: readonly string[]) => string | null | undefined,
): Promise<SpeakingServer> {
  const asked: string[][] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    let rest = ''
    sockets.add(socket)
    socket.on('error', () => {}) // the close event follows
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
    at: { host: '127.0.0.1', port: address.port },
    asked,
    drop,
    connections: () => sockets.size,
    close() {
      server.close()
      drop()
    },
  }
}

/** @returns null if the command is not complete yet */
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
