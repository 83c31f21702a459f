/** The clients of the session benchmark: requestor and wallet app, with calls that are as cheap as possible. @module */
import { Agent, request } from 'node:http'

const CONCURRENT = 8
const agent = new Agent({ keepAlive: true })

/** Closes idle connections. Called after a pause, in which the server may have closed them. */
export function dropConnections(): void {
  agent.destroy()
}

/** @returns body of a successful response */
export function call(
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  body = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve(text)
          : reject(new Error(`benchmark: ${method} got ${answer.statusCode}`)),
      )
    })
    // retries once on a new connection, because the server may have closed an idle one
    const again = (): void => void call(method, url, headers, body).then(resolve, reject)
    sent.on('error', error => (sent.reusedSocket ? again() : reject(error))).end(body)
  })
}

/** Runs `work` for all items, at most `atOnce` at a time. */
export async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  atOnce = CONCURRENT,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
