/** Opens the inspector's page in a browser. This helper records every highlighted state, every request to an unknown host, and every error. @module */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import * as patience from '../../patience.ts'

/** Records the highlighted states at each change. It runs in the page. It is a text, because the project's types lack `document`. */
const NOTE_LIT = `
  window.lit = []
  new MutationObserver(() => {
    const now = [...document.querySelectorAll('#drawing .now')].map(({ dataset }) => dataset.state).join(' ')
    if (now && now !== window.lit.at(-1)) window.lit.push(now)
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['class'] })`

/** The text that the page shows after it has received its lists. */
export const CONNECTED = 'Connected. What you see is committed.'

export type Visit = {
  readonly context?: BrowserContextOptions
  /** other hosts that the page may call */
  readonly mayAsk?: readonly string[]
  /** called before the page is loaded */
  readonly before?: (page: Page) => Promise<void>
}

/** @param address with the token */
export async function visitInspector(
  browser: Browser,
  address: string,
  { context: options = {}, mayAsk = [], before = async () => {} }: Visit,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const complaints: string[] = []
  const known = [new URL(address).host, ...mayAsk]
  context.on(
    'request',
    request => known.includes(new URL(request.url()).host) || complaints.push(request.url()),
  )
  try {
    const page = await context.newPage()
    page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(String(error)))
    await page.addInitScript(NOTE_LIT)
    await before(page)
    await page.goto(address)
    await page.getByText(CONNECTED).waitFor()
    await use(page)
    assert.equal(complaints, [])
  } finally {
    await context.close()
  }
}

/** The highlighted leaf states so far, one entry for each change. */
export async function litIn(page: Page): Promise<readonly string[]> {
  return JSON.parse(String(await page.evaluate('JSON.stringify(window.lit)')))
}

/** Deletes the record of highlighted states, except the current one, which another change in the page would record again. */
export async function forgetEarlierLit(page: Page): Promise<void> {
  await page.evaluate('window.lit = window.lit.slice(-1)')
}

/** Waits until a condition is true in the page. The driver's own wait function is forbidden by the page's content security policy.
 *  @param condition an expression */
export async function until(page: Page, condition: string): Promise<void> {
  const isSo = (): Promise<boolean> => page.evaluate(`Boolean(${condition})`)
  await patience.until(isSo, condition).catch(async error => {
    throw new Error(`${error.message}; lit: ${await litIn(page)}`)
  })
}

/** Waits until these states were highlighted in this order. Others may have been highlighted between them.
 *  @returns all highlighted states */
export async function untilLit(page: Page, ...states: readonly string[]): Promise<readonly string[]> {
  await until(
    page,
    `window.lit.reduce((i, lit) => (lit.split(' ').includes(${JSON.stringify(states)}[i]) ? i + 1 : i), 0) === ${states.length}`,
  )
  return litIn(page)
}
