/** The last step of the tour: its two sites, the page of the provider and the phone, each in a window. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { heading, overflow, phone, site } from './browser.ts'
import { openedPhone, subAt, typeCode } from './sign-in-pages.ts'

const SITES = ['Wine Cellar', 'Night Cinema'] as const

/** Signs in at both sites.
 *  @returns the value of `sub` at each site, which differ */
export async function takeTwoSites(page: Page): Promise<readonly string[]> {
  await site(page).getByRole('button', { name: 'Open both sites' }).click()
  await heading(page, 'Sign in at both sites').waitFor()
  const subs: string[] = []
  for (const name of SITES) {
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      site(page)
        .getByRole('link', { name: `Open the ${name}` })
        .click(),
    ])
    subs.push(await signedInAt(window))
    await window.close()
  }
  await heading(page, 'Signed in at both sites').waitFor()
  assert.is(new Set(subs).size, 2)
  return subs
}

/** Signs in at the site in this window. The link to the wallet opens the page of the tour in another window, with its phone. */
async function signedInAt(window: Page): Promise<string> {
  await window.getByRole('link', { name: 'Sign in' }).click()
  const opened = await openedPhone(window, window.context())
  await heading(opened, 'Type this code on the web site').waitFor()
  assert.is(await overflow(opened), 0)
  await heading(opened, 'Sign in at both sites').waitFor()
  await typeCode(window, (await opened.locator('#pin').textContent()) ?? '')
  await phone(opened).getByRole('button', { name: 'Share', exact: true }).click()
  await heading(opened, 'Shared').waitFor()
  const sub = await subAt(window)
  await opened.close()
  return sub
}
