/** One Chromium for the browser tests, and a watched page of the demo: every request, every error. @module */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { siteHosts } from '../../demo/site-hosts.ts'
import { PATIENCE_MS } from '../patience.ts'

const CHROMIUM = '/usr/bin/chromium'
/** Without these options Chromium calls its own hosts at every start. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const hasChromium = existsSync(CHROMIUM)

/** Every page of this browser has the timeout of all tests. */
export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET, timeout: PATIENCE_MS })
  const newContext = browser.newContext.bind(browser)
  return Object.assign(browser, {
    async newContext(options?: BrowserContextOptions) {
      const context = await newContext(options)
      context.setDefaultTimeout(PATIENCE_MS)
      return context
    },
  })
}

/** Opens the demo in a separate window. Fails on any complaint: an error on the console, an uncaught error, or a request to another
 *  host. */
export async function visit(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(String(error)))
  const { hostname } = new URL(address)
  const known = siteHosts(address).all
  context.on('request', request => {
    const asked = new URL(request.url())
    if (asked.hostname !== hostname && !known.includes(asked.host)) complaints.push(request.url())
  })
  try {
    await page.goto(address)
    await page.getByRole('button', { name: 'Scan QR code' }).waitFor()
    await use(page)
    assert.equal(complaints, [])
  } finally {
    await context.close()
  }
}

export const site = (page: Page): Locator => page.getByRole('region', { name: 'Web site' })
export const phone = (page: Page): Locator => page.getByRole('region', { name: 'Phone', exact: true })
export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name })

/** Selects the stop of the tour that begins with this number. */
export async function choose(page: Page, number: number): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`\\b${number}:`) }).check()
}

/** Presses the button of the web site and waits for its code. */
export async function begin(page: Page, button: string): Promise<void> {
  await site(page).getByRole('button', { name: button }).click()
  await heading(page, 'Scan this code with your phone').waitFor()
  await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
}

/** The number of pixels by which the page is wider than its window. */
export function overflow(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth')
}
