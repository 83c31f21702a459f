/** The account page in a real browser without scripts: on a wide and a narrow screen, in both themes, and with only the keyboard. @module */
import type { BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { MAIL_LANGUAGES } from '../../../accounts/mails/words/languages.ts'
import { WORDS } from '../../../http/account-page/words/languages.ts'
import { hasChromium, launch, overflow } from '../../demo/browser.ts'
import { lowContrast } from '../../demo/contrast.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { ADDRESS, type PageOfTest, withPage } from './harness.ts'

const InBrowser = suite('account page: in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? InBrowser.skip : InBrowser
const browser = hasChromium ? await launch() : null
InBrowser.after(() => browser?.close())

/** A browser window with the page. The page must load nothing from other servers. */
async function opened(
  { node }: PageOfTest,
  options: BrowserContextOptions,
  use: (page: Page, origin: string) => Promise<void>,
): Promise<void> {
  const origin = `http://127.0.0.1:${node.port}`
  if (browser === null) throw new Error('expected a browser, got none')
  const context = await browser.newContext({ ...options, javaScriptEnabled: false })
  const asked: string[] = []
  context.on('request', request => asked.push(new URL(request.url()).origin))
  try {
    await use(await context.newPage(), origin)
    assert.equal([...new Set(asked)], [origin])
  } finally {
    await context.close()
  }
}

const HTTP = { url: 'http://keyshare.example/' } // over http, a browser stores no Secure cookie

test('a user logs in, reads the page and deletes the account, with only the keyboard', () =>
  withPage(async world => {
    const { id } = await world.confirmed()
    await opened(world, {}, async (page, origin) => {
      await page.goto(`${origin}/account/en/`)
      await page.getByLabel('E-mail address').focus()
      await page.keyboard.type(ADDRESS)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Look in your mail' }).waitFor()
      await page.goto(origin + (await world.mailedPath()))
      await page.getByRole('button', { name: 'Log in' }).press('Enter')
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
      await page.getByRole('link', { name: 'Delete this account' }).press('Enter')
      await page.getByRole('checkbox', { name: /^I understand/ }).press('Space')
      await page.getByRole('button', { name: 'Delete for good' }).press('Enter')
      await page.getByRole('heading', { name: 'The account has been deleted' }).waitFor()
    })
    assert.is((await world.node.accounts.read(id))?.record, null)
  }, HTTP))

for (const colorScheme of ['light', 'dark'] as const)
  test(`every screen fits a phone and can be read, in the ${colorScheme} theme and each language`, () =>
    withPage(async world => {
      const { id } = await world.confirmed('a.rather.long.name.of.a.user@home.example')
      await world.confirmed('a.rather.long.name.of.a.user@home.example')
      const kept = await world.loggedIn('a.rather.long.name.of.a.user@home.example')
      const viewport = { width: 320, height: 640 }
      await opened(world, { colorScheme, viewport }, async (page, origin) => {
        const [name = '', value = ''] = kept.cookie.split('=')
        const looked: string[] = []
        const look = async (): Promise<void> => {
          looked.push(await page.title())
          assert.equal([await lowContrast(page), await overflow(page)], [[], 0])
        }
        for (const language of MAIL_LANGUAGES) {
          const { account, deletion } = WORDS[language]
          await page.context().clearCookies()
          await page.goto(`${origin}/account/${language}/login`)
          await look()
          await page.goto(`${origin}/account/${language}/login/unknown`)
          await look()
          await page.context().addCookies([{ name, value, url: `${origin}/account` }])
          for (const path of ['', `accounts/${id}`, `accounts/${id}/delete`]) {
            await page.goto(`${origin}/account/${language}/${path}`)
            await look()
          }
          await page.getByRole('link', { name: deletion.cancel }).click()
          await page.getByLabel(account.addAddress).fill('nobody@nowhere')
          await page.getByRole('button', { name: account.addButton }).click()
          await look()
        }
        assert.is(new Set(looked).size, 5 * MAIL_LANGUAGES.length)
      })
    }, HTTP))

InBrowser.run()
