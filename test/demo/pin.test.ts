/** The PIN of the demo's phone in a browser: created, entered, wrong, blocked, changed; and with the keyboard alone. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { begin, choose, hasChromium, heading, launch, overflow, phone, site, visit } from './browser.ts'
import { lowContrast } from './contrast.ts'
import { startTestDemo } from './start.ts'

const Pin = suite('demo: the PIN of the phone')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Pin.skip : Pin
const browser = hasChromium ? await launch() : null

async function open(use: (page: Page) => Promise<void>, options = {}): Promise<void> {
  if (!browser) throw new Error('expected a browser')
  const demo = await startTestDemo()
  try {
    await visit(browser, demo.address, options, use)
  } finally {
    await demo.close()
  }
}

async function typeOnPad(page: Page, title: string, pin: string): Promise<void> {
  await phone(page).getByLabel(title, { exact: true }).waitFor()
  for (const digit of pin) await phone(page).getByRole('button', { name: digit, exact: true }).click()
}

const press = (page: Page, name: string): Promise<void> =>
  phone(page).getByRole('button', { name, exact: true }).click()

/** Types with the keyboard: the focus is in the field. */
async function type(page: Page, title: string, pin: string): Promise<void> {
  const field = phone(page).getByLabel(title, { exact: true })
  await field.and(page.locator(':focus')).waitFor()
  await page.keyboard.type(pin)
  await page.keyboard.press('Enter')
}

async function setUp(page: Page, pin: string): Promise<void> {
  await press(page, 'PIN')
  await type(page, 'Choose a PIN', pin)
  await type(page, 'Once more', pin)
  await type(page, 'E-mail address', '')
  await heading(page, 'Your PIN is set').waitFor()
  await press(page, 'Close')
}

/** Plays the step with a PIN until the phone asks for it. */
async function askForPin(page: Page): Promise<void> {
  await choose(page, 10)
  await begin(page, 'Log in with your PIN')
  await press(page, 'Share')
}

test('a PIN is typed twice on the pad, and the card that it brings logs its user in', () =>
  open(async page => {
    await choose(page, 10)
    await site(page).getByText('For this step the phone needs: Demo login.').waitFor()
    await site(page).getByRole('button', { name: 'Set up a PIN on the phone' }).click()
    await phone(page).getByLabel('Choose a PIN').and(page.locator(':focus')).waitFor()
    await typeOnPad(page, 'Choose a PIN', '1234')
    await press(page, 'Next')
    await phone(page).getByText('A PIN has 5 digits.').waitFor()
    await typeOnPad(page, 'Choose a PIN', '99')
    await press(page, 'Delete the last digit')
    assert.is(await phone(page).getByLabel('Choose a PIN').inputValue(), '1234')
    await typeOnPad(page, 'Choose a PIN', '5')
    await press(page, 'Next')
    await typeOnPad(page, 'Once more', '12354')
    await press(page, 'OK')
    await phone(page).getByText('two different PINs').waitFor()
    await typeOnPad(page, 'Choose a PIN', '12345')
    await press(page, 'Next')
    await typeOnPad(page, 'Once more', '12345')
    await press(page, 'OK')
    await press(page, 'Set up')
    await heading(page, 'Your PIN is set').waitFor()
    await press(page, 'Close')
    assert.is(await site(page).getByText('For this step the phone needs').count(), 0)
    assert.is(await phone(page).getByRole('listitem').filter({ hasText: 'Demo login' }).count(), 1)
    await askForPin(page)
    await typeOnPad(page, 'Your PIN', '12345')
    await press(page, 'OK')
    await heading(page, 'You are logged in').waitFor()
  }))

test('letters of the keyboard are no digits', () =>
  open(async page => {
    await press(page, 'PIN')
    await type(page, 'Choose a PIN', '12a45')
    await phone(page).getByText('A PIN has 5 digits.').waitFor()
    assert.is(await phone(page).getByLabel('Choose a PIN').inputValue(), '1245')
    await page.keyboard.type('b6')
    await page.keyboard.press('Enter')
    await phone(page).getByLabel('Once more', { exact: true }).waitFor()
  }))

test('with the keyboard alone, a wrong PIN is asked for again, the third blocks, and the site is not told why', () =>
  open(async page => {
    await setUp(page, '12345')
    await askForPin(page)
    await type(page, 'Your PIN', '00000')
    await phone(page).getByText('Wrong PIN. 2 more tries').waitFor()
    await type(page, 'Your PIN', '00001')
    await phone(page).getByText('Wrong PIN. One more try').waitFor()
    await type(page, 'Your PIN', '00002')
    await heading(page, 'Too many wrong PINs').waitFor()
    const left = await phone(page).getByRole('timer').innerText()
    assert.match(left, /^(1:00|0:5[0-9])$/)
    await heading(page, 'Stopped').waitFor()
    await site(page).getByText('The site is not told whether somebody refused or could not answer.').waitFor()
    await press(page, 'Close')
    await heading(page, 'My cards').waitFor()
  }))

test('a PIN that is entered twice at once counts as one attempt', () =>
  open(async page => {
    await setUp(page, '12345')
    await askForPin(page)
    const sent: string[] = []
    page.on('request', request => request.url().endsWith('/pin') && sent.push(request.url()))
    await phone(page).getByLabel('Your PIN', { exact: true }).fill('00000')
    await phone(page).getByRole('button', { name: 'OK' }).dblclick()
    await phone(page).getByText('Wrong PIN. 2 more tries').waitFor()
    assert.is(sent.length, 1)
  }))

test('the wait is counted down to its end', () =>
  open(async page => {
    await setUp(page, '12345')
    await page.clock.install()
    await askForPin(page)
    for (const wrong of ['00000', '00001', '00002']) await type(page, 'Your PIN', wrong)
    await heading(page, 'Too many wrong PINs').waitFor()
    await page.clock.runFor(30_000)
    assert.match(await phone(page).getByRole('timer').innerText(), /^0:(30|29|28)$/)
    await page.clock.runFor(31_000)
    assert.is(await phone(page).getByRole('timer').innerText(), 'Now you can try again.')
    assert.is(await phone(page).getByText('takes no PIN now').count(), 0)
    await phone(page).getByText('One more wrong PIN, and the keyshare server waits twice as long.').waitFor()
  }))

test('the PIN is changed with the old one, which is wrong afterwards', () =>
  open(async page => {
    await setUp(page, '12345')
    await press(page, 'PIN')
    await heading(page, 'PIN and account').waitFor()
    await press(page, 'Change the PIN')
    await type(page, 'Your PIN now', '99999')
    await phone(page).getByText('Wrong PIN. 2 more tries').waitFor()
    await type(page, 'Your PIN now', '12345')
    await type(page, 'Choose a new PIN', '54321')
    await type(page, 'Once more', '54321')
    await heading(page, 'Your PIN is changed').waitFor()
    await press(page, 'Close')
    await askForPin(page)
    await type(page, 'Your PIN', '12345')
    await phone(page).getByText('Wrong PIN. 2 more tries').waitFor()
    await type(page, 'Your PIN', '54321')
    await heading(page, 'You are logged in').waitFor()
  }))

test('a user who cancels at the pad shares nothing', () =>
  open(async page => {
    await setUp(page, '12345')
    await askForPin(page)
    await press(page, 'Cancel')
    await heading(page, 'Nothing was shared').waitFor()
    await heading(page, 'Stopped').waitFor()
  }))

for (const colorScheme of ['light', 'dark'])
  test(`every text of its screens has enough contrast, and fits a small window, in the ${colorScheme} theme`, () =>
    open(
      async page => {
        const look = async (): Promise<void> => {
          assert.equal(await lowContrast(page), [])
          assert.is(await overflow(page), 0)
        }
        await press(page, 'PIN')
        await typeOnPad(page, 'Choose a PIN', '1')
        await press(page, 'Next')
        await look()
        await phone(page).getByLabel('Choose a PIN').fill('12345')
        await page.keyboard.press('Enter')
        await type(page, 'Once more', '12345')
        await look()
        await type(page, 'E-mail address', '')
        await heading(page, 'Your PIN is set').waitFor()
        await look()
        await press(page, 'Close')
        await press(page, 'PIN')
        await heading(page, 'PIN and account').waitFor()
        await look()
        await press(page, 'Change the PIN')
        for (const wrong of ['1', '2', '3']) await type(page, 'Your PIN now', `9999${wrong}`)
        await heading(page, 'Too many wrong PINs').waitFor()
        await look()
      },
      { colorScheme, viewport: { width: 360, height: 740 } },
    ))

Pin.after(() => browser?.close())
Pin.run()
