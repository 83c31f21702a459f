/** The inspector's page in a browser, with a server that the test controls: many actors, gaps, and the end of the connection. @module */
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { Inspection } from '../../../actors/inspection/inspection.ts'
import type { ShownActor } from '../../../actors/inspection/views.ts'
import type { PageMessage } from '../../../http/inspector/page-messages.ts'
import { createInspectorServer } from '../../../http/inspector/server.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { hasChromium, launch } from '../../demo/browser.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { visitInspector } from './page-in-browser.ts'

export const NOW = Date.UTC(2026, 5, 1)
export const TOKEN = 'token-of-the-inspector'
const LISTED = 1_000

export function actor(id: string, more: Partial<ShownActor> = {}): ShownActor {
  return {
    chart: 'session',
    id,
    version: 1,
    states: ['INITIALIZED'],
    status: 'INITIALIZED',
    sinceAt: NOW - 65_000,
    dueAt: NOW + 90_000,
    requestor: 'shop',
    cause: null,
    isAwake: true,
    facts: {},
    ...more,
  }
}

/** A page, and the test's end of its connection. */
export type Served = {
  readonly page: Page
  /** all messages from the page */
  readonly heard: readonly { readonly type: string }[]
  send(message: PageMessage): void
  close(code: number, reason: string): Promise<void>
}

/** The browser for the pages of a test file, and the port of the inspector's server. */
export type BrowserAndPort = { readonly browser: Browser; readonly port: number }

/** @param total number of sessions; only the newest are listed */
export async function serve(
  { browser, port }: BrowserAndPort,
  total: number,
  use: (served: Served) => Promise<void>,
  {
    isClockOurs = false,
    kept = [],
  }: { readonly isClockOurs?: boolean; readonly kept?: readonly ShownActor[] } = {},
): Promise<void> {
  const heard: { type: string }[] = []
  let route: WebSocketRoute | null = null
  const send = (message: PageMessage): void => route?.send(JSON.stringify(message))
  const list = (): void => {
    const actors = Array.from({ length: Math.min(total, LISTED) }, (_, i) =>
      actor(`${total - i}`.padStart(32, '0')),
    )
    send({ type: 'svc.list', chart: 'session', total, actors })
  }
  const before = async (page: Page): Promise<void> => {
    if (isClockOurs) await page.clock.install()
    await page.routeWebSocket(/\/page\?/, socket => {
      route = socket
      socket.onMessage(text => {
        heard.push(JSON.parse(String(text)))
        if (heard.at(-1)?.type === 'list') list()
      })
      send({
        type: 'svc.hello',
        now: NOW,
        charts: ['delivery', 'session', 'login'],
        kept,
        bounds: { listed: LISTED, stepsPerSec: 200 },
      })
      list()
    })
  }
  const close = (code: number, reason: string): Promise<void> =>
    route?.close({ code, reason }) ?? Promise.resolve()
  await visitInspector(browser, `http://127.0.0.1:${port}/#${TOKEN}`, { before }, page =>
    use({ page, heard, send, close }),
  )
}

export type PageTests = {
  readonly test: (title: string, work: (place: BrowserAndPort) => Promise<void>) => void
  readonly run: () => void
}

/** A suite in which each test has a page of its own. It is skipped if there is no browser. */
export async function pageTests(name: string): Promise<PageTests> {
  const Pages = suite(name)
  const isSkipped = isMissing('/usr/bin/chromium', hasChromium)
  const browser = hasChromium ? await launch() : null
  const server = createInspectorServer({
    inspection: new Inspection(error => {
      throw error
    }),
    clock: createSimulatedClock(NOW),
    log: { info() {}, warn() {} },
    token: TOKEN,
  })
  const { port } = await server.listen(0)
  Pages.after(async () => {
    await browser?.close()
    await server.close()
  })
  return {
    test(title, work) {
      if (isSkipped || !browser) Pages.skip(title, () => {})
      else Pages(title, () => work({ browser, port }))
    },
    run: () => Pages.run(),
  }
}
