/** The demo of `svc oidc` in a browser: the whole login on the pages that people see. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { type SignInDemo, startSignInDemo } from '../../demo/sign-in/start.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { systemRandomness } from '../../ports/randomness.ts'
import { createLog } from '../../server/log/log.ts'
import { freePort } from '../cli/run-svc.ts'
import { DEMO_SCHEMES, isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { hasChromium, launch, overflow } from './browser.ts'

const SignIn = suite('the demo of svc oidc, in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? SignIn.skip : SignIn
let demo: SignInDemo
let browser: Browser
SignIn.before(async () => {
  const ports = {
    provider: await freePort(),
    phone: await freePort(),
    shop: await freePort(),
    club: await freePort(),
  }
  const log = createLog({ verbose: 0, quiet: true, log_json: false })
  demo = await startSignInDemo({
    ...{ ports, log, schemesPath: DEMO_SCHEMES },
    clock: createSystemClock({ keepsAlive: true }),
    random: systemRandomness,
  })
  browser = await launch()
})
SignIn.after(async () => {
  await browser.close()
  await demo.close()
})

type Look = Parameters<Browser['newContext']>[0]

/** Fails on any error on a console, and on any request to another host. */
async function visit(
  use: (page: Page, context: BrowserContext) => Promise<void>,
  look: Look = {},
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
    assert.equal(complaints, [])
  } finally {
    await context.close()
  }
}

/** Opens the sign-in page from the site. */
async function ask(page: Page, site = demo.sites[0] ?? ''): Promise<void> {
  await page.goto(site)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
}

/** The phone of the demo, opened from the sign-in page and paired with it. */
async function pairedPhone(page: Page, context: BrowserContext): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the wallet app' }).click()
  const phone = await opened
  const code = phone.getByRole('heading', { name: /^\d{4}$/ })
  await code.waitFor()
  await page.getByLabel('Code in the app').fill(await code.innerText())
  await page.getByRole('button', { name: 'Continue' }).click()
  return phone
}

async function subAt(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'you are signed in' }).waitFor()
  assert.match(await page.getByRole('main').innerText(), /over18\s+true/)
  return page.getByRole('listitem').filter({ hasText: 'sub' }).getByRole('code').innerText()
}

test('two sites learn over18, and each has its own sub', () =>
  visit(async (page, context) => {
    const subs: string[] = []
    for (const site of demo.sites) {
      await ask(page, site)
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      const phone = await pairedPhone(page, context)
      await phone.getByRole('button', { name: 'Share', exact: true }).click()
      await phone.getByRole('heading', { name: 'Shared' }).waitFor()
      subs.push(await subAt(page))
      assert.is(page.url(), `${site}/`)
    }
    assert.is(new Set(subs).size, 2)
  }))

test('a refusal on the phone returns to the site', () =>
  visit(async (page, context) => {
    await ask(page)
    const phone = await pairedPhone(page, context)
    await phone.getByRole('button', { name: 'Share nothing' }).click()
    await page.getByText('the provider says access_denied').waitFor()
  }))

test('after the login, the back button leads to a site and to no old code', () =>
  visit(async (page, context) => {
    await ask(page)
    const phone = await pairedPhone(page, context)
    await phone.getByRole('button', { name: 'Share', exact: true }).click()
    await subAt(page)
    await page.goBack()
    assert.is(await page.getByRole('img', { name: 'QR code' }).count(), 0)
  }))

test('a small dark screen has room for it, in German', () =>
  visit(
    async page => {
      await page.goto(demo.sites[1] ?? '')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('img', { name: 'QR-Code für Ihre Wallet-App' }).waitFor()
      await page.getByRole('status').filter({ hasText: 'Scannen Sie diesen Code' }).waitFor()
      assert.is(await overflow(page), 0)
    },
    { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'de-DE' },
  ))

SignIn.run()
