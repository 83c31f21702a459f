/** One call of the crowd benchmark, and the time until its answer. @module */
import { request } from 'node:http'

export type Answer = { readonly status: number; readonly text: string; readonly ms: number }

/** A new connection for each call, because clients of a crowd share none. */
export function call(method: 'GET' | 'POST', url: string, headers: object, body = ''): Promise<Answer> {
  const beganAt = performance.now()
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method, agent: false, headers: { ...headers, ...length } }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text, ms: performance.now() - beganAt }),
      )
    })
    sent.on('error', reject).end(body)
  })
}
