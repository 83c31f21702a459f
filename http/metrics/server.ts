/** The listener of the operator: the page of figures for Prometheus, and the readiness of the node with all names. It has no authentication, but its own port, so that
 *  no public listener shows either. @module */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock.ts'
import { JSON_TYPE } from '../../sessions/stored-answer.ts'
import { readyAnswer } from '../health.ts'
import { closeListener, listen, smallListener } from '../listen.ts'
import type { Readiness } from '../readiness.ts'
import type { Page } from './prometheus.ts'

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
  /** null: the node is not built yet */
  readonly readiness: () => Pick<Readiness, 'now'> | null
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

type Answer = Page & { readonly status: number }

/** The answer of each path. */
const PATHS: Readonly<Record<string, (deps: MetricsServerDeps) => Promise<Answer>>> = {
  '/metrics': async ({ page }) => ({ status: 200, ...(await page()) }),
  '/health/ready': namedReadiness,
}

async function namedReadiness({ readiness }: MetricsServerDeps): Promise<Answer> {
  const state = await readiness()?.now()
  const { answer } = readyAnswer({
    reasons: state?.reasons ?? { node: 'it is starting' },
    warnings: state?.namedWarnings ?? {},
  })
  return { status: answer.status, type: JSON_TYPE, text: answer.body }
}

async function answer(req: IncomingMessage, res: ServerResponse, deps: MetricsServerDeps): Promise<void> {
  const [path = ''] = (req.url ?? '').split('?', 1)
  const show = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined
  if (show === undefined) return answerText(res, 404)
  if (req.method !== 'GET' && req.method !== 'HEAD') return answerText(res, 405)
  try {
    const { status, type, text } = await show(deps)
    answerText(res, status, text, type)
  } catch (error) {
    deps.log.error({ err: error }, 'metrics failed')
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
