/** The sign-in page in logins with detours: codes that expire, wrong codes, tabs, reloads, and the keyboard alone. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { until } from '../patience.ts'
import { overflow } from './browser.ts'
import { lowContrast } from './contrast.ts'
import {
  ask,
  codeOn,
  openedPhone,
  pairedPhone,
  share,
  signInTests,
  subAt,
  typeCode,
} from './sign-in-pages.ts'

const { test, pages, run } = signInTests('the ways of a login, in a browser')

/** Longer than a session waits for an app. */
const SIX_MINUTES_MS = 360_000
const SMALL_AND_DARK = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } as const

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const code = (page: Page) => page.getByRole('img', { name: 'QR code' })

async function assertReadable(page: Page): Promise<void> {
  assert.is(await overflow(page), 0)
  assert.equal(await lowContrast(page), [])
}

test('a code that has expired is told to the user, and a new one logs in', () =>
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    await code(page).waitFor()
    const app = await page.getByRole('link', { name: 'Open the wallet app' }).getAttribute('href')
    pages().setForward(SIX_MINUTES_MS) // from now on the page may take the link away
    const late = await context.newPage()
    await late.goto(app ?? '')
    await late.getByRole('heading', { name: 'The session has ended' }).waitFor()
    await status(page, 'The code has expired.').waitFor()
    assert.is(await code(page).count(), 0)
    await assertReadable(page)
    await page.getByRole('button', { name: 'Make a new code' }).click()
    await share(await pairedPhone(page, context))
    await subAt(page)
  }, SMALL_AND_DARK))

test('after a wrong code of the app, the right one logs in', () =>
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    const phone = await openedPhone(page, context)
    const right = await codeOn(phone)
    await assertReadable(page)
    await typeCode(page, right === '0000' ? '0001' : '0000')
    await status(page, 'This is another code.').waitFor()
    await typeCode(page, right)
    await share(phone)
    await subAt(page)
  }, SMALL_AND_DARK))

test('three wrong codes of the app end its session, and a new code logs in', () =>
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    const right = await codeOn(await openedPhone(page, context))
    for (let i = 0; i < 3; i++) {
      await typeCode(page, right === '0000' ? '0001' : '0000')
      const isTaken = async () => (await page.locator('#pin').inputValue()) === '' || (await isOver())
      await until(isTaken, 'the answer to the code')
    }
    async function isOver(): Promise<boolean> {
      return page.getByRole('button', { name: 'Make a new code' }).isVisible()
    }
    await page.getByRole('button', { name: 'Make a new code' }).click()
    await share(await pairedPhone(page, context))
    await subAt(page)
  }))

test('a second tab with the same page takes the login over, and the first one offers a new code', () =>
  pages().visit(
    async (page, context) => {
      await ask(page, pages().sites[0])
      await code(page).waitFor()
      const second = await context.newPage()
      await second.goto(page.url())
      await page.getByRole('button', { name: 'Make a new code' }).waitFor()
      assert.is(new URL(page.url()).origin, new URL(second.url()).origin)
      await share(await pairedPhone(second, context))
      await subAt(second)
    },
    {},
    { complaint: /status of 403/ },
  ))

test('two tabs of one browser log in at two sites, the later one first', () =>
  pages().visit(async (first, context) => {
    const second = await context.newPage()
    await ask(first, pages().sites[0])
    await ask(second, pages().sites[1])
    for (const tab of [second, first]) {
      await share(await pairedPhone(tab, context))
      await subAt(tab)
    }
    assert.is(new URL(first.url()).origin, pages().sites[0])
    assert.is(new URL(second.url()).origin, pages().sites[1])
  }))

test('a reload shows a new code, which logs in; the one before it does not', () =>
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    await code(page).waitFor()
    const old = (await page.getByRole('link', { name: 'Open the wallet app' }).getAttribute('href')) ?? ''
    await page.reload()
    await code(page).waitFor()
    const late = await context.newPage()
    await late.goto(old)
    await late.getByRole('heading', { name: 'The session has ended' }).waitFor()
    await share(await pairedPhone(page, context))
    await subAt(page)
  }))

test('after a reload of the site, its user is still signed in', () =>
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    await share(await pairedPhone(page, context))
    const sub = await subAt(page)
    await page.reload()
    assert.is(await subAt(page), sub)
  }))

test('the keyboard alone types the code, and a screen reader gets each step', () =>
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    assert.is(await page.getByRole('status').getAttribute('aria-live'), 'polite')
    await status(page, 'Scan this code with your wallet app.').waitFor()
    const phone = await openedPhone(page, context)
    const typed = await codeOn(phone)
    await status(page, 'Your wallet app shows a code of four digits.').waitFor()
    await page.bringToFront()
    assert.is(await page.evaluate('document.activeElement.id'), 'pin')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await status(page, 'Follow the steps in your wallet app.').waitFor()
    await share(phone)
    await subAt(page)
  }))

test('the keyboard alone cancels, and the site gets the refusal', () =>
  pages().visit(async page => {
    await ask(page, pages().sites[0])
    await code(page).waitFor()
    const cancel = page.getByRole('button', { name: 'Cancel' })
    const isThere = async () => (await cancel.and(page.locator(':focus')).count()) === 1
    await until(isThere, 'the focus at the button', () => page.keyboard.press('Tab'))
    await page.keyboard.press('Enter')
    await page.getByText('the provider says access_denied').waitFor()
  }))

run()
