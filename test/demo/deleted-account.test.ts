/** The account behind the PIN of the demo's phone, in a browser. Its mails are read on the phone and link to the page of the account. After its deletion there, the phone
 *  forgets it. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { begin, choose, hasChromium, heading, launch, phone, site } from './browser.ts'
import { startTestDemo } from './start.ts'

const Deleted = suite('demo: an account that is deleted')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Deleted.skip : Deleted
const browser = hasChromium ? await launch() : null
const ADDRESS = 'anna@example.test'

const press = (page: Page, name: string): Promise<void> =>
  phone(page).getByRole('button', { name, exact: true }).click()

async function type(page: Page, title: string, text: string): Promise<void> {
  await phone(page).getByLabel(title, { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** The page that a link on the phone opens beside the demo. */
async function follow(page: Page, name: string): Promise<Page> {
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    phone(page).getByRole('link', { name }).first().click(),
  ])
  return opened
}

async function setUp(page: Page): Promise<void> {
  await press(page, 'PIN')
  await type(page, 'Choose a PIN', '12345')
  await type(page, 'Once more', '12345')
  await type(page, 'E-mail address', ADDRESS)
  await heading(page, 'Your PIN is set').waitFor()
  await press(page, 'Close')
}

async function confirmAddress(page: Page): Promise<void> {
  await press(page, 'PIN')
  await press(page, 'Read 1 mail')
  await phone(page).getByText('Confirm your e-mail address').waitFor()
  const confirming = await follow(page, 'Open the link')
  await confirming.getByRole('button', { name: 'Confirm the address' }).click()
  await heading(confirming, 'Your address is confirmed').waitFor()
  await confirming.close()
}

/** Deletes the account through a link that is mailed while the mails are shown. */
async function deleteAccount(page: Page): Promise<void> {
  await press(page, 'Back')
  const asking = await follow(page, 'See or delete the account')
  await press(page, 'Read 1 mail')
  await asking.getByLabel('E-mail address').fill(ADDRESS)
  await asking.getByRole('button', { name: 'Send the link' }).click()
  await heading(asking, 'Look in your mail').waitFor()
  await asking.close()
  await phone(page).getByText('Log in to manage your account').waitFor()
  const account = await follow(page, 'Open the link')
  await account.getByRole('button', { name: 'Log in' }).click()
  await account.getByText('The right PIN was entered').waitFor()
  await account.getByRole('link', { name: 'Delete this account' }).click()
  await account.getByRole('checkbox').check()
  await account.getByRole('button', { name: 'Delete for good' }).click()
  await account.getByRole('button', { name: 'Delete for good' }).waitFor({ state: 'detached' })
  await account.close()
}

test('its mails are read on the phone, it is deleted on its page, and the phone can begin again', async () => {
  const demo = await startTestDemo()
  const page = await browser?.newPage()
  if (!page) throw new Error('expected a browser')
  try {
    await page.goto(demo.address)
    await setUp(page)
    await confirmAddress(page)
    await deleteAccount(page)
    await choose(page, 10)
    await begin(page, 'Log in with your PIN')
    await press(page, 'Share')
    await type(page, 'Your PIN', '12345')
    await phone(page).getByText('The account behind your PIN is gone').waitFor()
    await heading(page, 'Stopped').waitFor()
    await press(page, 'Close')
    await press(page, 'PIN')
    await press(page, 'Change the PIN')
    await type(page, 'Your PIN now', '12345')
    await heading(page, 'This account is gone').waitFor()
    await press(page, 'Forget it on this phone')
    await phone(page).getByText('No cards yet').waitFor()
    assert.is(await site(page).getByText('Demo login').count(), 0)
    await setUp(page)
    assert.is(await phone(page).getByRole('listitem').filter({ hasText: 'Demo login' }).count(), 1)
  } finally {
    await page.close()
    await demo.close()
  }
})

Deleted.after(() => browser?.close())
Deleted.run()
