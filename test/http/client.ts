/** A plain HTTP client for the tests. It sends exactly the given call: any method, path, header and body, also in pieces. It reads event streams frame
 *  by frame. @module */
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http'

export type Call = {
  readonly headers?: Readonly<Record<string, string>>
  /** an object is sent as JSON */
  readonly body?: unknown
}

export type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** name and value of each header line */
  readonly lines: readonly (readonly [string, string])[]
  readonly text: string
  readonly bytes: Uint8Array
  /** the body as JSON, or undefined */
  readonly json: unknown
}

export type Client = {
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** a request whose body is written by the test */
  begin(
    method: string,
    path: string,
    headers?: Call['headers'],
  ): { request: ClientRequest; answer: Promise<Answer> }
  /** opens an event stream; resolves when its head has arrived */
  open(path: string, headers?: Call['headers']): Promise<Stream>
}

export type Stream = {
  readonly head: Answer
  /** the next frame without its two line ends; null: the server ended the stream */
  next(): Promise<string | null>
  /** closes the client's connection */
  leave(): void
}

export function clientOf(port: number): Client {
  return clientOver(() => ({ port, host: '127.0.0.1', agent: false }))
}

/** @param reach returns the connection options, and is called for each call */
export function clientOver(reach: () => RequestOptions): Client {
  const begin: Client['begin'] = (method, path, headers = {}) => {
    const sent = request({ ...reach(), method, path, headers })
    const answer = new Promise<Answer>((resolve, reject) => {
      sent.on('error', reject).on('response', response => readAnswer(response).then(resolve, reject))
    })
    return { request: sent, answer }
  }
  return {
    begin,
    async call(method, path, { headers = {}, body } = {}) {
      const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : textOf(body)
      const length = bytes === undefined ? undefined : { 'Content-Length': String(Buffer.byteLength(bytes)) }
      const { request, answer } = begin(method, path, { ...length, ...headers })
      request.end(bytes)
      return await answer
    },
    open: (path, headers = {}) => openStream({ ...reach(), path, headers }),
  }
}

function textOf(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body)
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return answerOf(response, Buffer.concat(chunks))
}

function answerOf(response: IncomingMessage, bytes: Buffer): Answer {
  const { rawHeaders } = response
  const text = bytes.toString()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    lines: rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ''] as const] : [])),
    text,
    bytes,
    json: jsonOf(text),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function openStream(options: RequestOptions): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent = request(options)
    sent.on('error', reject).on('response', response => {
      const frames = framesOf(response)
      resolve({
        head: answerOf(response, Buffer.alloc(0)),
        next: async () => (await frames.next()).value ?? null,
        leave: () => sent.destroy(),
      })
    })
    sent.end()
  })
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const chunk of response) {
    // comment lines keep proxies from closing the stream; the server sends them between frames, never within one
    const frames = `${rest}${chunk}`.replace(/^:.*\n/gm, '').split('\n\n')
    rest = frames.pop() ?? ''
    yield* frames
  }
  if (rest !== '') throw new Error(`stream ended within a frame: ${JSON.stringify(rest)}`)
  return undefined
}
