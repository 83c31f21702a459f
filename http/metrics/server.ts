/** The listener of Prometheus: one page of figures, without authentication. It has its own port, so that no public listener shows the figures. @module */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import { closeListener, listen, smallListener } from '../listen.ts'
import type { Page } from './prometheus.ts'

const PATH = '/metrics'
/** The most connections at once: each of a few programs needs one. */
const MAX_CONNECTIONS = { inAll: 64, ofAddress: 16 }

export type MetricsServer = {
  /** @param port 0: any free one
   *  @throws the error of the system about the address */
  listen(port: number, host?: string): Promise<AddressInfo>
  close(): Promise<void>
}

export type MetricsServerDeps = {
  readonly page: () => Promise<Page>
  readonly log: Pick<Logger, 'error'>
  readonly clock: Clock
}

export function createMetricsServer(deps: MetricsServerDeps): MetricsServer {
  const server = smallListener(deps.clock, MAX_CONNECTIONS, (req, res) => {
    req.resume()
    void answer(req, res, deps)
  })
  return {
    listen: (port, host) => listen(server, port, host),
    close: () => closeListener(server),
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
