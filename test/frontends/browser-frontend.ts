/** A package in Chromium: a page of the site in a separate context, and functions that read and use it. The page must call only this machine. @module */
import type { Page, Request } from 'playwright-core'
import { create } from 'qrcode'
import * as assert from 'uvu/assert'
import { PATIENCE_MS } from '../patience.ts'
import type { Package, Result } from './back-end.ts'
import { type FlowName, type Frontend, type Screen, visitOf } from './flows.ts'
import { BROWSER_PACKAGES, type BrowserPackage } from './packages.ts'
import type { Pages } from './pages.ts'
import { atDoor, type Door, HMAC_KEY, TOKEN, type Transport } from './session-server.ts'
import type { Site } from './site.ts'

/** polls, rather than checking at each drawn frame */
const LOOK = { polling: 50 }
const HERE = /^(http:\/\/127\.0\.0\.1:\d+\/|data:|blob:)/
export type Surroundings = {
  readonly pages: Pages
  readonly site: Site
  readonly doors: Readonly<Record<Transport, Door>>
}

type Visitor = {
  readonly page: Page
  readonly kind: BrowserPackage
  readonly door: Door
  readonly site: Site
  readonly begin: () => Promise<void>
}

/** Plays a visit, and asserts that the package uses the given transport and only this machine. */
export async function inBrowser(
  around: Surroundings,
  kind: BrowserPackage,
  flow: FlowName,
  transport: Transport,
  use: (front: Frontend) => Promise<void>,
): Promise<void> {
  await around.pages.use(visitOf(flow).device ?? 'desktop', async page => {
    const complaints: string[] = []
    const watch = (request: Request) => HERE.test(request.url()) || complaints.push(request.url())
    const complain = (error: Error) => complaints.push(String(error))
    page.on('request', watch).on('pageerror', complain)
    const visitor = await visit(page, around, kind, flow, transport)
    await use(frontendOf(visitor))
    assert.equal(complaints, [])
    await assertTransport(visitor, transport)
    page.off('request', watch).off('pageerror', complain)
  })
}

async function visit(
  page: Page,
  { site, doors }: Surroundings,
  kind: BrowserPackage,
  flow: FlowName,
  transport: Transport,
): Promise<Visitor> {
  const door = doors[transport]
  const visitor = `${flow}-${transport}-${kind.name}`.replaceAll(/\W+/g, '-')
  const { requests, next, isDirect } = visitOf(flow)
  const own = requests.map(request => atDoor(request, door, next && `${site.url}/next/${visitor}`))
  site.expect(visitor, own, next && atDoor(next, door))
  await page.goto(`${site.url}/${BROWSER_PACKAGES.indexOf(kind)}/`)
  await page.evaluate(NOTE_SCREENS(kind.brand))
  const session =
    isDirect || kind.startsItself ? directSession(own[0] ?? {}, door, isDirect === true) : sessionOf(visitor)
  const element = kind.isPopup ? '' : 'element: "#front",'
  const begin = async (): Promise<void> => {
    await page.evaluate(`begin({ language: 'en', ${element} ${PATIENT} session: ${session} })`)
  }
  return { page, kind, door, site, begin }
}

/** Allows more time for opening the stream than the packages' 2 s, because the machine may be busy. */
const PATIENT = `state: { serverSentEvents: { timeout: ${PATIENCE_MS} } },`
const KEEP = 'parseResponse: async response => (window.started = await response.json())'

/** Options of a page whose site has a back end. */
function sessionOf(visitor: string): string {
  return `{
    start: { url: () => ${JSON.stringify(`/start/${visitor}`)}, method: 'POST', ${KEEP} },
    result: { url: (_, { sessionToken }) => '/result/' + sessionToken },
  }`
}

/** Options of a page that calls the server, all with their defaults. */
function directSession(request: object, { url }: Door, isSigned: boolean): string {
  const body = JSON.stringify(request)
  const headers = JSON.stringify({ 'Content-Type': 'application/json', Authorization: TOKEN })
  const method = isSigned ? ['hmac', HMAC_KEY.toString(), 'hmacs'] : ['token', TOKEN]
  return `{
    url: ${JSON.stringify(url)},
    start: { method: 'POST', headers: ${headers}, body: ${JSON.stringify(body)}, ${KEEP}, request: ${body}, auth: ${JSON.stringify(method)} },
  }`
}

function frontendOf(visitor: Visitor): Frontend {
  const { page, kind, door, site } = visitor
  const of = (name: string): string => `.${kind.brand}-web-${name}`
  const click = (selector: string): Promise<void> => page.locator(selector).click()
  const glue = (transition: string): Promise<void> =>
    click(`[data-${kind.brand}-glue-transition="${transition}"]`)
  const deleted = async (): Promise<void> =>
    door.until((await startedOn(page)).sessionPtr.u, ({ method }) => method === 'DELETE')
  return {
    begin: visitor.begin,
    code: () => drawnCode(visitor),
    link: () => shownLink(visitor),
    shows: screen => shows(visitor, screen),
    async type(code) {
      await page
        .locator(`${of('pairing-code')} input:enabled`)
        .first()
        .click()
      await page.keyboard.type(code)
    },
    async leave() {
      if (kind.isPopup) await click(of('close'))
      else await page.evaluate('front.abort()')
      await deleted()
    },
    async cancel() {
      await glue('cancel')
      await deleted()
    },
    tryAgain: async () => {
      await page.evaluate('delete window.started')
      await glue('restart')
    },
    codeInsteadOfLink: () => glue('chooseQR'),
    async result() {
      const ended = await (await page.waitForFunction('window.ended', undefined, LOOK)).jsonValue()
      const { value, reason } = ended as { value?: Result; reason?: string } // the page belongs to the tests
      if (!value) throw new Error(`expected a result on the page, got ${reason}`)
      return value
    },
    statusForRequestor: async () => site.backend.getSessionStatus((await startedOn(page)).token),
    resultForRequestor: token => site.backend.getSessionResult(token),
  }
}

/** The answer to the start of the last session. */
async function startedOn(page: Page): Promise<Package> {
  return (await (await page.waitForFunction('window.started', undefined, LOOK)).jsonValue()) as Package // the page of the tests has stored it
}

/** Waits until a page listens: it gets no earlier change. */
async function listening({ page, door }: Visitor): Promise<Package> {
  const started = await startedOn(page)
  await door.until(
    started.sessionPtr.u,
    ({ method, path, status }) => method === 'GET' && status === 200 && /\/status(events)?$/.test(path),
  )
  return started
}

/** True if the canvas shows these modules: as many pixels wide as the packages choose, with a margin of one module. */
const IS_DRAWN = ({
  selector,
  size,
  modules,
}: {
  selector: string
  size: number
  modules: string
}): string => `(() => {
  const canvas = document.querySelector('${selector}')
  if (!canvas?.width) return false
  const { data, width } = canvas.getContext('2d', { willReadFrequently: true }).getImageData(0, 0, canvas.width, canvas.height)
  const centre = i => Math.floor((i + 1.5) * width / (${size} + 2))
  const isDark = (_, i) => data[4 * (centre(Math.floor(i / ${size})) * width + centre(i % ${size}))] < 128 ? 1 : 0
  return Array.from({ length: ${size} ** 2 }, isDark).join('') === '${modules}'
})()`

async function drawnCode(visitor: Visitor): Promise<string> {
  const { page, kind } = visitor
  const selector = `.${kind.brand}-web-qr-canvas`
  await page.locator(selector).waitFor()
  const text = kind.codeText((await startedOn(page)).sessionPtr)
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  await page.waitForFunction(
    IS_DRAWN({ selector, size, modules: Array.from(data, Number).join('') }),
    undefined,
    LOOK,
  )
  await listening(visitor)
  return text
}

async function shownLink(visitor: Visitor): Promise<string> {
  const { page, kind } = visitor
  const link = page.locator(`.${kind.brand}-web-button-link`)
  await link.waitFor()
  const { sessionPtr } = await listening(visitor)
  const text = (await link.getAttribute('href')) ?? ''
  const isAndroid = String(await page.evaluate('navigator.userAgent')).includes('Android')
  const json = encodeURIComponent(JSON.stringify(sessionPtr))
  if (isAndroid)
    assert.match(text, /^intent:\/\/qr\/json\/[^#]+#Intent;package=org\.irmacard\.cardemu;scheme=irma;/)
  assert.ok(text.startsWith(isAndroid ? `intent://qr/json/${json}#` : kind.iosLink + json), text)
  return text
}

const SCREENS: Readonly<Record<Screen, readonly [part: string, text: string]>> = {
  connected: ['waiting-for-user-animation', 'Follow the steps in the'],
  pairing: ['pairing-form', 'Enter the pairing code'],
  'wrong code': ['pairing-form', 'does not match the code in your'],
  success: ['checkmark-animation', 'Success!'],
  cancelled: ['forbidden-animation', 'The session is cancelled'],
  'timed out': ['clock-animation', 'from you for too long'],
}

/** Notes each screen when it appears. A popup closes 2 s after its last screen, which a busy machine may miss. */
const NOTE_SCREENS = (brand: string): string => `(() => {
  window.screens = []
  let shown = []
  const centres = () => [...document.querySelectorAll('.${brand}-web-centered')]
  const isShown = ([, [part, text]]) => centres().some(centre =>
    centre.textContent.replace(/\\s+/g, ' ').includes(text) &&
    centre.querySelector('.${brand}-web-' + part)?.checkVisibility({ visibilityProperty: true }))
  const note = () => {
    const now = Object.entries(${JSON.stringify(SCREENS)}).filter(isShown).map(([screen]) => screen)
    window.screens.push(...now.filter(screen => !shown.includes(screen)))
    shown = now
  }
  const every = { subtree: true, childList: true, characterData: true, attributes: true }
  new MutationObserver(note).observe(document, every)
})()`

/** Waits for a screen that appeared after the last one that was waited for. */
async function shows({ page }: Visitor, screen: Screen): Promise<void> {
  const find = `(() => {
    const at = window.screens.indexOf('${screen}')
    window.screens.splice(0, at + 1)
    return at >= 0
  })()`
  await page.waitForFunction(find, undefined, LOOK)
}

/** Asserts how the page got status changes. */
async function assertTransport({ page, door, kind }: Visitor, transport: Transport): Promise<void> {
  const all = door.answered((await startedOn(page)).sessionPtr.u)
  const answers = all.filter(
    ({ method, path }) => method === 'GET' && (kind.isOld || path.includes('/frontend/')),
  )
  const statuses = (end: string): number[] =>
    answers.filter(({ path }) => path.endsWith(end)).map(({ status }) => status)
  const [streams, polls] = [statuses('/statusevents'), statuses('/status')]
  const isOpened = transport === 'stream' && kind.stream === 'opened'
  const expected = isOpened ? 200 : transport === 'stream' ? 403 : 500
  assert.is(streams[0], expected, 'the stream') // a page that goes from link to code drops one, which ends later
  if (!kind.isOld || !isOpened) assert.is(polls.length > 0, !isOpened, 'polling')
}
