/** The listener of Prometheus: one page of figures, for whoever reaches it. It has a port of its own, so that no public listener shows any of it. @module */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { answerBrokenRequest } from '../broken-request.ts'
import { FIXED_LIMITS } from '../limits.ts'
import { listen } from '../listen.ts'
import type { Page } from './prometheus.ts'

const PATH = '/metrics'
/** The most connections at once: each of a few programs needs one. */
const MAX_CONNECTIONS = 64

export type MetricsServer = {
  /** @param port 0: any free one
   *  @throws what the system says of the address */
  listen(port: number, host?: string): Promise<AddressInfo>
  close(): Promise<void>
}

export type MetricsServerDeps = {
  readonly page: () => Promise<Page>
  readonly log: Pick<Logger, 'error'>
}

export function createMetricsServer(deps: MetricsServerDeps): MetricsServer {
  const { readingMs } = FIXED_LIMITS
  const server = createServer({ headersTimeout: readingMs, requestTimeout: readingMs }, (req, res) => {
    req.resume()
    void answer(req, res, deps)
  })
  server.maxConnections = MAX_CONNECTIONS
  server.on('clientError', answerBrokenRequest(FIXED_LIMITS))
  return {
    listen: (port, host) => listen(server, port, host),
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { page, log }: MetricsServerDeps,
): Promise<void> {
  const [path] = (req.url ?? '').split('?', 1)
  if (path !== PATH) return answerText(res, 404)
  if (req.method !== 'GET' && req.method !== 'HEAD') return answerText(res, 405)
  try {
    const { type, text } = await page()
    answerText(res, 200, text, type)
  } catch (error) {
    log.error({ err: error }, 'metrics failed')
    answerText(res, 500)
  }
}

function answerText(
  res: ServerResponse,
  status: number,
  text = `${STATUS_CODES[status]}\n`,
  type = 'text/plain; charset=utf-8',
): void {
  const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }
  // Node sends no body to HEAD
  res.writeHead(status, { ...headers, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  res.end(text)
}
