/** The tour as a person takes it: in a browser, by clicking, by the keyboard alone, on a small window and in the dark. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { hasChromium, launch, open, type Watched } from './browser.ts'
import { lowContrast } from './contrast.ts'
import { startTestDemo } from './start.ts'

const Tour = suite('demo: the tour in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Tour.skip : Tour
const demo = hasChromium ? await startTestDemo() : null
const browser = hasChromium ? await launch() : null

type OpenOptions = Parameters<typeof open>[2]

/** A test in a window of its own, which must end without a complaint. */
async function visit(options: OpenOptions, use: (page: Page) => Promise<void>): Promise<void> {
  if (!browser || !demo) throw new Error('expected a browser and a demo')
  const { page, complaints, close }: Watched = await open(browser, demo.address, options)
  try {
    await use(page)
    assert.equal(complaints, [])
  } finally {
    await close()
  }
}

const shop = (page: Page) => page.getByRole('region', { name: 'Web shop' })
const phone = (page: Page) => page.getByRole('region', { name: 'Phone' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name })

async function begin(page: Page, question: string, button: string): Promise<void> {
  await page.getByLabel(question).check()
  await shop(page).getByRole('button', { name: button }).click()
  await heading(page, 'Scan this code with your phone').waitFor()
  await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
}

test('a disclosure completes by clicking, and both sides say what was shared', () =>
  visit({}, async page => {
    await begin(page, 'Prove that you are over 18', 'Prove that you are over 18')
    await heading(page, 'asks you to share').waitFor()
    const question = await phone(page).innerText()
    for (const words of [new URL(demo?.address ?? '').host, 'Over 18', 'yes', 'Demo identity card'])
      assert.ok(question.includes(words), words)
    assert.match(await shop(page).innerText(), 'Nothing has been shared yet')
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'Thank you, you are over 18').waitFor()
    assert.match(await phone(page).innerText(), /Shared\s+with 127\.0\.0\.1:\d+\s+Over 18: yes/)
    const told = await shop(page).innerText()
    assert.match(told, /The shop sees\s+Over 18\s+Demo identity card\s+yes/)
    assert.match(told, /It does not see\s+Initials\s+Family name\s+Nationality\s+Document number/)
    const track = await page.getByRole('list', { name: 'Statuses of the session' }).innerText()
    assert.match(track, /INITIALIZED.*CONNECTED.*DONE/s)
    await shop(page).getByText('The result, as JSON').click()
    const json = JSON.parse(await shop(page).getByRole('region', { name: 'The result, as JSON' }).innerText())
    assert.equal([json.status, json.proofStatus, json.disclosed[0][0].rawvalue], ['DONE', 'VALID', 'yes'])
    assert.not('token' in json)
    await shop(page).getByRole('button', { name: 'Start again' }).click()
    await heading(page, 'Red wine, one bottle').waitFor()
    await heading(page, 'My cards').waitFor()
  }))

test('with pairing the shop asks for the code on the phone, and a wrong one does not do', () =>
  visit({}, async page => {
    await page.getByLabel('Device pairing').check()
    await begin(page, 'Prove that you are over 18', 'Prove that you are over 18')
    await heading(page, 'Type this code in the web shop').waitFor()
    const code = (await page.locator('#pin').innerText()).replace(/\D/g, '')
    assert.match(code, /^\d{4}$/)
    await page.getByLabel('Four digits').fill(code === '0000' ? '1111' : '0000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('That is not the code on the phone').waitFor()
    assert.match(await page.locator('#status').innerText(), 'Comparing codes')
    await page.getByLabel('Four digits').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await heading(page, 'asks you to share').waitFor()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'Thank you, you are over 18').waitFor()
    const track = await page.getByRole('list', { name: 'Statuses of the session' }).innerText()
    assert.match(track, /INITIALIZED.*PAIRING.*CONNECTED.*DONE/s)
  }))

test('where there are several candidates the chosen one is shared', () =>
  visit({}, async page => {
    await begin(page, 'Log in with one of two cards', 'Log in with your wallet')
    await page.getByRole('group', { name: 'Choose one' }).waitFor()
    assert.is(await phone(page).getByRole('radio').count(), 3)
    await phone(page).getByRole('radio', { name: 'Registration number' }).check()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'You are logged in').waitFor()
    assert.match(await shop(page).innerText(), 'With registration number 999990342.')
  }))

test('an optional attribute is not shared unless it is chosen', () =>
  visit({}, async page => {
    await begin(page, 'Have a parcel delivered', 'Fill in with your wallet')
    const optional = page.getByRole('group', { name: 'Only if you like' })
    assert.ok(await optional.getByRole('radio', { name: 'Share nothing here' }).isChecked())
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'We know where to deliver').waitFor()
    assert.match(await shop(page).innerText(), 'There is no name on the label.')
    await shop(page).getByRole('button', { name: 'Start again' }).click()
    await begin(page, 'Have a parcel delivered', 'Fill in with your wallet')
    await optional.getByRole('radio', { name: 'Family name' }).check()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await page.getByText('The label says de Vries.').waitFor()
  }))

test('after a refusal the shop has seen nothing', () =>
  visit({}, async page => {
    await begin(page, 'Prove that you are over 18', 'Prove that you are over 18')
    await phone(page).getByRole('button', { name: 'Refuse' }).click()
    await heading(page, 'Stopped').waitFor()
    await heading(page, 'Nothing was shared').waitFor()
    assert.match(await shop(page).innerText(), 'Nothing at all.')
    assert.match(await page.locator('#track').innerText(), 'CANCELLED')
  }))

test('the shop can cancel, and the phone that answers then shares nothing', () =>
  visit({}, async page => {
    await begin(page, 'Prove that you are over 18', 'Prove that you are over 18')
    await heading(page, 'asks you to share').waitFor()
    await shop(page).getByRole('button', { name: 'Cancel' }).click()
    await heading(page, 'Stopped').waitFor()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await page.getByText('The session had already ended.').waitFor()
  }))

test('a phone that scans before there is a code is told so', () =>
  visit({}, async page => {
    await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
    await page.getByText('There is no QR code on the screen.').waitFor()
  }))

test('another question chosen while a session is being made ends that session', () =>
  visit({}, async page => {
    let answer = (): void => undefined
    const asked = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/demo/shop/start', async route => {
      await asked
      await route.continue()
    })
    const cancelled = page.waitForRequest(request => request.method() === 'DELETE')
    await shop(page).getByRole('button', { name: 'Prove that you are over 18' }).click()
    await page.getByLabel('Log in with one of two cards').check()
    answer()
    await (await cancelled).response()
    await heading(page, 'Log in').waitFor()
  }))

test('without an event stream the page asks for the status', () =>
  visit({}, async page => {
    await page.route('**/frontend/statusevents', route => route.fulfill({ status: 200, body: '' }))
    await begin(page, 'Prove that you are over 18', 'Prove that you are over 18')
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'Thank you, you are over 18').waitFor()
  }))

test('the keyboard alone is enough, and the focus stays where the person works', () =>
  visit({}, async page => {
    const focused = () => page.evaluate('document.activeElement.textContent.trim()')
    const tabTo = async (text: string, key = 'Tab') => {
      for (let i = 0; i < 40 && !String(await focused()).startsWith(text); i++) await page.keyboard.press(key)
      assert.ok(String(await focused()).startsWith(text), text)
    }
    await page.keyboard.press('Tab')
    assert.is(await focused(), 'Skip to the web shop')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown') // the second question
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space') // pairing
    await tabTo('Log in with your wallet')
    await page.keyboard.press('Enter')
    await heading(page, 'Scan this code with your phone').waitFor()
    assert.is(await focused(), 'Scan this code with your phone')
    await tabTo('Scan QR code')
    await page.keyboard.press('Enter')
    await heading(page, 'Type this code in the web shop').waitFor()
    assert.is(await focused(), 'Type this code in the web shop')
    await page.getByLabel('Four digits').waitFor()
    for (let i = 0; i < 10 && (await page.evaluate('document.activeElement.id')) !== 'code'; i++)
      await page.keyboard.press('Shift+Tab')
    await page.keyboard.type((await page.locator('#pin').innerText()).replace(/\D/g, ''))
    await page.keyboard.press('Enter')
    await heading(page, 'Your phone has the question').waitFor()
    assert.is(await focused(), 'Your phone has the question')
    await page.getByRole('group', { name: 'Choose one' }).waitFor()
    for (let i = 0; i < 10 && (await page.evaluate('document.activeElement.type')) !== 'radio'; i++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await tabTo('Share')
    await page.keyboard.press('Enter')
    await heading(page, 'You are logged in').waitFor()
    assert.match(await shop(page).innerText(), 'Music Academy')
    await heading(page, 'Shared').waitFor()
    assert.is(await focused(), 'Shared')
  }))

test('on a window of a phone nothing is cut off, and a mark says that the other side has news', () =>
  visit({ viewport: { width: 360, height: 740 } }, async page => {
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.is(await overflow(), 0)
    await begin(page, 'Have a parcel delivered', 'Fill in with your wallet')
    await page.getByRole('group', { name: 'Only if you like' }).waitFor()
    assert.is(await overflow(), 0)
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'We know where to deliver').waitFor()
    await page.locator('.sides .news[data-side="shop"]').click()
    await heading(page, 'We know where to deliver').waitFor()
    assert.is(await page.locator('.sides .news[data-side="shop"]').count(), 0)
    assert.is(await overflow(), 0)
  }))

for (const colorScheme of ['light', 'dark'] as const)
  test(`every text of the ${colorScheme} theme has enough contrast`, () =>
    visit({ colorScheme }, async page => {
      const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      assert.is(ground, colorScheme === 'dark' ? 'rgb(16, 20, 27)' : 'rgb(241, 239, 233)')
      const screens: string[] = []
      const look = async () => screens.push(...(await lowContrast(page)))
      await look()
      await page.getByLabel('Device pairing').check()
      await begin(page, 'Have a parcel delivered', 'Fill in with your wallet')
      await page.getByLabel('Four digits').fill('x')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await look()
      await page.getByLabel('Four digits').fill((await page.locator('#pin').innerText()).replace(/\D/g, ''))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await heading(page, 'asks you to share').waitFor()
      await look()
      await phone(page).getByRole('button', { name: 'Share' }).click()
      await heading(page, 'We know where to deliver').waitFor()
      await heading(page, 'Shared').waitFor()
      await look()
      assert.equal(screens, [])
    }))

test('the theme can be changed by hand', () =>
  visit({ colorScheme: 'light' }, async page => {
    await page.getByRole('button', { name: 'Dark theme' }).click()
    assert.is(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(16, 20, 27)')
    await page.getByRole('button', { name: 'Light theme' }).click()
    assert.is(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(241, 239, 233)')
  }))

Tour.after(async () => {
  await browser?.close()
  await demo?.close()
})

Tour.run()
