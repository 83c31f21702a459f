/** Sends a call, also one that no HTTP library would send. @module */
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'

export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Answer = {
  /** 0: the connection was closed without an answer */
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

const NO_ANSWER: Answer = { status: 0, type: '', body: Buffer.alloc(0) }

export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  /** An event stream is closed after its head. */
  async send(call: Call): Promise<Answer> {
    if (!call.path.startsWith('/')) return this.#sendText(textOf(call), false)
    try {
      return await this.#sendWell(call)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      return this.#sendText(textOf(call), false) // the library refuses such a call
    }
  }

  /** Any bytes, on a connection of their own. The client ends its side after them, so a server may end without an answer. */
  sendRaw(text: string): Promise<Answer> {
    return this.#sendText(text, true)
  }

  #sendText(text: string, endsItsSide: boolean): Promise<Answer> {
    return new Promise(resolve => {
      const chunks: Buffer[] = []
      const socket = connect({ port: this.#port, host: '127.0.0.1' })
      const end = (): void => {
        socket.destroy()
        resolve(answerIn(Buffer.concat(chunks)))
      }
      socket.on('data', chunk => {
        chunks.push(chunk)
        if (/^content-type: text\/event-stream/im.test(Buffer.concat(chunks).toString('latin1'))) end()
      })
      socket.on('close', end).on('error', end)
      if (endsItsSide) socket.end(text, 'latin1')
      else socket.write(text, 'latin1')
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  #sendWell(call: Call): Promise<Answer> {
    const { method, path, headers, body } = call
    return new Promise((resolve, reject) => {
      const sent = request({ agent: this.#agent, port: this.#port, host: '127.0.0.1', method, path, headers })
      let hasAnswer = false
      sent.on('error', () => {
        if (hasAnswer) return // the client left an event stream
        // a server may close an idle connection while the call is under way
        if (sent.reusedSocket) this.#sendWell(call).then(resolve, reject)
        else resolve(NO_ANSWER)
      })
      sent.on('response', response => {
        hasAnswer = true
        const leave = (): void => void sent.destroy()
        readAnswer(response, leave).then(resolve, () => resolve(NO_ANSWER))
      })
      sent.on('upgrade', (_, socket) => socket.destroy()).on('connect', (_, socket) => socket.destroy())
      sent.end(body)
    })
  }
}

async function readAnswer(response: IncomingMessage, leave: () => void): Promise<Answer> {
  const { statusCode: status = 0, headers } = response
  const type = headers['content-type'] ?? ''
  if (type.startsWith('text/event-stream') && status === 200) {
    response.on('error', () => {})
    leave()
    return { status, type, body: NO_ANSWER.body }
  }
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status, type, body: Buffer.concat(chunks) }
}

function textOf({ method, path, headers, body }: Call): string {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(body)
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: ${bytes.length}\r\n${given.join('')}\r\n${bytes.toString('latin1')}`
}

/** The first answer in these bytes. */
function answerIn(bytes: Buffer): Answer {
  const text = bytes.toString('latin1')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  const type = /^content-type: *([^\r\n]*)/im.exec(text)?.[1] ?? ''
  return { status, type, body: bytes.subarray(text.indexOf('\r\n\r\n') + 4) }
}
