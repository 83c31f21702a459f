/** The tour with the keyboard alone: every control is reachable, and the focus follows the user's work. @module */
import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { hasChromium, heading, launch, phone, site, visit } from './browser.ts'
import { pageOf, startTestDemo } from './start.ts'

const Keyboard = suite('demo: the keyboard alone')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Keyboard.skip : Keyboard
const demo = hasChromium ? await startTestDemo() : null
const browser = hasChromium ? await launch() : null
if (demo) await pageOf(demo).complete('cards', [])

async function open(use: (page: Page) => Promise<void>): Promise<void> {
  if (!browser || !demo) throw new Error('expected a browser and a demo')
  await visit(browser, demo.address, {}, use)
}

const focused = async (page: Page): Promise<string> =>
  String(await page.evaluate('document.activeElement.textContent.trim()'))

async function tabUntil(page: Page, isThere: () => Promise<boolean>, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 40 && !(await isThere()); i++) await page.keyboard.press(key)
  assert.ok(await isThere(), 'expected to get there')
}

/** Waits for a control, moves the focus there and presses it. */
async function pressAt(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  await tabUntil(page, async () => (await wanted.and(page.locator(':focus')).count()) === 1)
  await page.keyboard.press('Enter')
}

const press = (page: Page, name: string): Promise<void> =>
  pressAt(page, page.getByRole('button', { name, exact: true }))

/** Moves from the top of the page past the link and the theme to the steps. */
async function arrowTo(page: Page, number: number): Promise<void> {
  await page.keyboard.press('Tab')
  assert.is(await focused(page), 'Skip to the web site')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const stop = page.getByRole('radio', { name: `${number}:` })
  await tabUntil(page, () => stop.isChecked(), 'ArrowRight')
}

test('a card is chosen and shown with pairing, and the focus goes along', () =>
  open(async page => {
    await arrowTo(page, 3)
    await page.keyboard.press('Tab')
    assert.match(await focused(page), 'Begin again')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space') // pairing
    await press(page, 'Log in with either card')
    await heading(page, 'Scan this code with your phone').waitFor()
    assert.is(await focused(page), 'Scan this code with your phone')
    await press(page, 'Scan QR code')
    await heading(page, 'Type this code on the web site').waitFor()
    assert.is(await focused(page), 'Type this code on the web site')
    await page.getByLabel('Four digits').waitFor()
    const isAtCode = async () => (await page.evaluate('document.activeElement.id')) === 'code'
    await tabUntil(page, isAtCode, 'Shift+Tab')
    await page.keyboard.type((await page.locator('#pin').innerText()).replace(/\D/g, ''))
    await page.keyboard.press('Enter')
    await heading(page, 'Your phone has the question').waitFor()
    assert.is(await focused(page), 'Your phone has the question')
    await page.getByRole('group', { name: 'Choose one' }).waitFor()
    await tabUntil(page, async () => (await page.evaluate('document.activeElement.type')) === 'radio')
    await page.keyboard.press('ArrowDown')
    await press(page, 'Share')
    await heading(page, 'You are logged in').waitFor()
    assert.match(await site(page).innerText(), 'SPECI2014')
    await heading(page, 'Shared').waitFor()
    assert.is(await focused(page), 'Shared')
  }))

test('a contract is signed; the phone is not emptied by mistake', () =>
  open(async page => {
    await arrowTo(page, 4)
    await press(page, 'Read and sign')
    await heading(page, 'Scan this code with your phone').waitFor()
    await press(page, 'Scan QR code')
    await press(page, 'Sign')
    await heading(page, 'The contract is signed').waitFor()
    await press(page, 'Begin again with an empty phone')
    await page.keyboard.press('Escape')
    assert.is(await page.getByRole('dialog').count(), 0)
    await press(page, 'Begin again with an empty phone')
    await press(page, 'Keep the cards')
    await press(page, 'Close')
    assert.is(await phone(page).getByRole('listitem').count(), 2)
  }))

test('on the phone itself the focus goes to the wallet and back to the site', () =>
  open(async page => {
    await arrowTo(page, 7)
    await press(page, 'Prove that you are over 18')
    await pressAt(page, page.getByRole('link', { name: 'Open the wallet app' }))
    await heading(page, 'asks you to share').waitFor()
    assert.match(await focused(page), 'asks you to share')
    await press(page, 'Share')
    await heading(page, 'Shared').waitFor()
    assert.is(await focused(page), 'Shared')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading(page, 'Thank you, you are over 18').waitFor()
    assert.is(await focused(page), 'Thank you, you are over 18')
  }))

Keyboard.after(async () => {
  await browser?.close()
  await demo?.close()
})

Keyboard.run()
