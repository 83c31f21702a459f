/** One Chromium for the browser tests, and a page of the demo that is watched: every request, every error. @module */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
/** Without them Chromium asks for hosts of its own at every start. */
const QUIET = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

export const hasChromium = existsSync(CHROMIUM)

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET })
}

export type Watched = { readonly page: Page; readonly complaints: string[]; close(): Promise<void> }

/** Opens the demo. Complaints are errors on the console, uncaught ones, and requests to another host. */
export async function open(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(String(error)))
  context.on('request', request => request.url().startsWith(address) || complaints.push(request.url()))
  await page.goto(address)
  await page.getByRole('button', { name: 'Scan QR code' }).waitFor()
  return { page, complaints, close: () => context.close() }
}
