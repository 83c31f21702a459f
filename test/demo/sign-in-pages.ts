/** The demo of `svc oidc`, and a Chromium that is watched: every request, every error. @module */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { startSignInDemo } from '../../demo/sign-in/start.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { createLog } from '../../server/log/log.ts'
import { freePort } from '../cli/run-svc.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { hasChromium, launch } from './browser.ts'

type Look = Parameters<Browser['newContext']>[0]
/** An error on the console that the test causes. */
type Caused = { readonly complaint: RegExp }

export type SignInPages = {
  /** addresses of both sites */
  readonly sites: readonly string[]
  /** Opens a window. Fails on any error on a console that the test does not cause, and on any request to another host. */
  visit(
    use: (page: Page, context: BrowserContext) => Promise<void>,
    look?: Look,
    caused?: Caused,
  ): Promise<void>
  /** Sets the clock of the provider forward. */
  setForward(ms: number): void
  close(): Promise<void>
}

export type SignInTests = {
  readonly test: (title: string, work: () => Promise<void>) => void
  /** to be called in a test */
  readonly pages: () => SignInPages
  readonly run: () => void
}

/** A suite with one demo for all of its tests. It is skipped if there is no browser. */
export function signInTests(name: string): SignInTests {
  const Tests = suite(name)
  const test = isMissing('/usr/bin/chromium', hasChromium) ? Tests.skip : Tests
  let started: SignInPages | undefined
  Tests.before(async () => {
    started = await startSignIn()
  })
  Tests.after(() => started?.close())
  return {
    test: (title, work) => void test(title, work),
    run: () => void Tests.run(),
    pages() {
      if (started === undefined) throw new Error('pages: expected a test that runs, got none')
      return started
    },
  }
}

async function startSignIn(): Promise<SignInPages> {
  let aheadMs = 0
  const system = createSystemClock({ keepsAlive: true })
  const clock = {
    ...system,
    now: () => system.now() + aheadMs,
    wallNow: () => system.wallNow() + aheadMs,
  }
  const ports = {
    provider: await freePort(),
    phone: await freePort(),
    shop: await freePort(),
    club: await freePort(),
  }
  const log = createLog({ verbose: 0, quiet: true, log_json: false })
  const options = { ports, log, schemesPath: DEMO_SCHEMES, clock, random: systemRandomness }
  const demo = await startSignInDemo(options)
  const browser = await launch()
  return {
    sites: demo.sites,
    visit: (use, look = {}, caused) => visit(browser, use, look, caused),
    setForward(ms) {
      aheadMs += ms
    },
    async close() {
      await browser.close()
      await demo.close()
    },
  }
}

async function visit(
  browser: Browser,
  use: (page: Page, context: BrowserContext) => Promise<void>,
  look: Look,
  caused?: Caused,
): Promise<void> {
  const context = await browser.newContext(look)
  const complaints: string[] = []
  context.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  context.on('weberror', error => complaints.push(String(error.error())))
  context.on('request', request => {
    if (new URL(request.url()).hostname !== '127.0.0.1') complaints.push(request.url())
  })
  try {
    await use(await context.newPage(), context)
    assert.equal(
      complaints.filter(text => !caused?.complaint.test(text)),
      [],
    )
  } finally {
    await context.close()
  }
}

/** Opens the sign-in page from the site. */
export async function ask(page: Page, site = ''): Promise<void> {
  await page.goto(site)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
}

/** The phone of the demo, opened from the sign-in page. */
export async function openedPhone(page: Page, context: BrowserContext): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the wallet app' }).click()
  return opened
}

/** The code of four digits on the phone. */
export async function codeOn(phone: Page): Promise<string> {
  const code = phone.getByRole('heading', { name: /^\d{4}$/ })
  await code.waitFor()
  return code.innerText()
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code in the app').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

export async function pairedPhone(page: Page, context: BrowserContext): Promise<Page> {
  const phone = await openedPhone(page, context)
  await typeCode(page, await codeOn(phone))
  return phone
}

/** Shares the data on the phone. */
export async function share(phone: Page): Promise<void> {
  await phone.getByRole('button', { name: 'Share', exact: true }).click()
  await phone.getByRole('heading', { name: 'Shared' }).waitFor()
}

export async function subAt(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'you are signed in' }).waitFor()
  assert.match(await page.getByRole('main').innerText(), /over18\s+true/)
  return page.getByRole('listitem').filter({ hasText: 'sub' }).getByRole('code').innerText()
}
