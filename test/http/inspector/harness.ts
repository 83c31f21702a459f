/** A session server with its inspector, for tests, and viewers of it. @module */
import { once } from 'node:events'
import { pino } from 'pino'
import { WebSocket } from 'ws'
import { Inspection } from '../../../actors/inspection/inspection.ts'
import type { PageMessage, ViewerMessage } from '../../../http/inspector/page-messages.ts'
import { createInspectorServer } from '../../../http/inspector/server.ts'
import { settle } from '../../actors/node.ts'
import { type Parts, type ServerOfTest, withServer } from '../harness.ts'

export const TOKEN = 'token-of-the-inspector'

export type InspectedServer = ServerOfTest & {
  readonly inspection: Inspection
  readonly inspectorPort: number
  /** the log lines of the inspector, in JSON */
  readonly inspectorLog: readonly string[]
  readonly closeInspector: () => Promise<void>
}

/** @param use the servers are closed after it has finished */
export async function withInspector(
  use: (server: InspectedServer) => Promise<void>,
  parts: Parts = {},
): Promise<void> {
  const failures: unknown[] = []
  const inspection = new Inspection(error => failures.push(error))
  await withServer({ ...parts, inspection }, async server => {
    const inspectorLog: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => inspectorLog.push(line) })
    const inspector = createInspectorServer({ inspection, clock: server.clock, log, token: TOKEN })
    const { port: inspectorPort } = await inspector.listen(0)
    const closeInspector = (): Promise<void> => inspector.close()
    try {
      await use({ ...server, inspection, inspectorPort, inspectorLog, closeInspector })
    } finally {
      await closeInspector()
    }
  })
  if (failures.length > 0) throw failures[0]
}

export type CloseFrame = { readonly code: number; readonly reason: string }

export type Message<Type extends PageMessage['type']> = Extract<PageMessage, { readonly type: Type }>

export type PageViewer = {
  /** all received messages, in order */
  readonly messages: readonly PageMessage[]
  /** the same messages as text */
  readonly texts: readonly string[]
  send(message: ViewerMessage | string): void
  /** the messages of one type */
  all<Type extends PageMessage['type']>(type: Type): readonly Message<Type>[]
  /** Waits until a message that fits has arrived, before or after this call. */
  until(isMeant: (message: PageMessage) => boolean): Promise<void>
  readonly ended: Promise<CloseFrame>
  close(): Promise<void>
}

export type InspectorCall = {
  readonly path?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function socketTo(
  port: number,
  { path = '/page', token = TOKEN, headers = {} }: InspectorCall = {},
): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${port}${path}?token=${token}`, { headers })
}

/** @returns the refusal of the WebSocket, `STATUS words`; `open` if it was accepted */
export async function refusalOf(port: number, asked: InspectorCall): Promise<string> {
  const socket = socketTo(port, asked)
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.once('error', reject)
    socket.once('unexpected-response', (_req, res) => {
      let text = ''
      res.on('data', chunk => (text += chunk))
      res.once('end', () => resolve(`${res.statusCode} ${text.trim()}`))
    })
  })
}

/** A viewer that has received the lists. */
export async function viewerOf(port: number, asked: InspectorCall = {}): Promise<PageViewer> {
  const socket = socketTo(port, asked)
  const messages: PageMessage[] = []
  const texts: string[] = []
  const waiting = new Set<() => void>()
  socket.on('message', data => {
    texts.push(String(data))
    messages.push(JSON.parse(String(data)))
    for (const look of waiting) look()
  })
  const ended = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }))
  const until: PageViewer['until'] = isMeant =>
    new Promise(resolve => {
      const look = (): void => {
        if (!messages.some(isMeant)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const all: PageViewer['all'] = type =>
    messages.filter((message): message is Message<typeof type> => message.type === type)
  await once(socket, 'open')
  await until(({ type }) => type === 'svc.hello')
  const lists = all('svc.hello')[0]?.charts.length ?? 0
  await until(() => all('svc.list').length === lists)
  return {
    messages,
    texts,
    all,
    until,
    ended,
    send: message => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async close() {
      socket.close()
      await ended
      await settle()
    },
  }
}
