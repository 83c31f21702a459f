/** The demo of `svc oidc` in a browser: the whole login on the pages that people see. */
import * as assert from 'uvu/assert'
import { overflow } from './browser.ts'
import { ask, pairedPhone, signInTests, subAt } from './sign-in-pages.ts'

const { test, pages, run } = signInTests('the demo of svc oidc, in a browser')

test('two sites learn over18, and each has its own sub', () =>
  pages().visit(async (page, context) => {
    const subs: string[] = []
    for (const site of pages().sites) {
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
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    const phone = await pairedPhone(page, context)
    await phone.getByRole('button', { name: 'Share nothing' }).click()
    await page.getByText('the provider says access_denied').waitFor()
  }))

test('after the login, the back button leads to a site and to no old code', () =>
  pages().visit(async (page, context) => {
    await ask(page, pages().sites[0])
    const phone = await pairedPhone(page, context)
    await phone.getByRole('button', { name: 'Share', exact: true }).click()
    await subAt(page)
    await page.goBack()
    assert.is(await page.getByRole('img', { name: 'QR code' }).count(), 0)
  }))

test('a small dark screen has room for it, in German', () =>
  pages().visit(
    async page => {
      await page.goto(pages().sites[1] ?? '')
      await page.getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('img', { name: 'QR-Code für Ihre Wallet-App' }).waitFor()
      await page.getByRole('status').filter({ hasText: 'Scannen Sie diesen Code' }).waitFor()
      assert.is(await overflow(page), 0)
    },
    { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'de-DE' },
  ))

run()
