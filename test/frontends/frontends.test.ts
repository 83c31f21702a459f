/** The frontend packages of existing sites, unmodified, with this server and wallet. @module */
import { hasChromium, launch } from '../demo/browser.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { inBrowser, type Surroundings } from './browser-frontend.ts'
import { FLOWS, type FlowName, visitOf } from './flows.ts'
import { BROWSER_PACKAGES, type BrowserPackage } from './packages.ts'
import { pagesOf } from './pages.ts'
import { type Phone, startPhone } from './phone.ts'
import { openDoor, startSessionServer, type Transport } from './session-server.ts'
import { startSite } from './site.ts'

const AT_ONCE = 6
const TRANSPORTS: readonly Transport[] = ['stream', 'polling']

const Browsers = suite('existing front ends in Chromium')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Browsers.skip : Browsers

type Started = Surroundings & { readonly phone: Phone; close(): Promise<void> }

async function start(): Promise<Started> {
  const [server, browser, phone] = await Promise.all([startSessionServer(), launch(), startPhone()])
  const doors = {
    stream: await openDoor(server.url, 'stream'),
    polling: await openDoor(server.url, 'polling'),
  }
  const site = await startSite(server.url, BROWSER_PACKAGES)
  return {
    phone,
    site,
    doors,
    pages: pagesOf(browser),
    async close() {
      await Promise.all([
        browser.close(),
        phone.close(),
        site.close(),
        doors.stream.close(),
        doors.polling.close(),
      ])
      await server.close()
    },
  }
}

const started = hasChromium ? await start() : null

/** Runs a few flows at the same time, because most of a visit is waiting. */
function limiter(atOnce: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (running >= atOnce) await new Promise<void>(resolve => waiting.push(resolve))
    running++
    try {
      return await work()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
const limited = limiter(AT_ONCE)

function play(kind: BrowserPackage, flow: FlowName, transport: Transport): Promise<void> {
  if (!started) throw new Error('expected Chromium')
  const { scan } = started.phone
  return inBrowser(started, kind, flow, transport, async front => {
    await front.begin()
    await visitOf(flow).play({ front, scan })
  })
}

for (const kind of BROWSER_PACKAGES)
  for (const flow of Object.keys(FLOWS) as FlowName[]) // the keys of the table
    for (const transport of TRANSPORTS) {
      const { transport: only = transport } = visitOf(flow)
      if (only !== transport || kind.cannot[flow]) continue
      const title = `${kind.name}: ${flow}: ${transport}`
      const played = started && limited(() => play(kind, flow, transport))
      played?.catch(() => undefined) // the test reports it
      test(title, async () => void (await played))
    }

Browsers.after(() => started?.close())
Browsers.run()
