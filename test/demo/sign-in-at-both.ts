/** The last step of the tour over HTTP: a browser without a screen signs in at both sites with the phone of the tour. @module */
import type { TwoSitesState } from '../../demo/sign-in/two-sites.ts'
import { openBrowser } from '../server/oidc/browser.ts'
import { codeOf } from '../server/oidc/login.ts'
import type { pageOf } from './start.ts'

type Page = ReturnType<typeof pageOf>
export type SitesOfTour = TwoSitesState & { readonly version: number }

export async function sitesNow({ call }: Page): Promise<SitesOfTour> {
  return (await call<SitesOfTour>('/demo/sites?after=0')).body
}

export async function openBoth(page: Page): Promise<SitesOfTour> {
  await page.call('/demo/sites/open', 'POST')
  return sitesNow(page)
}

/** @returns the attributes that the phone has shared with the provider */
export async function signInAt(page: Page, address: string): Promise<readonly string[]> {
  const site = openBrowser(address, fetch)
  const { location } = await site.get(`${address}/login`)
  const browser = openBrowser(new URL(location ?? '').origin, fetch)
  const at = (await browser.get(location ?? '')).location ?? ''
  await browser.get(at)
  const phone = await page.open(await codeOf(browser, at))
  const { code } = await page.phoneShows(phone, 'pairing')
  await browser.post(`${at}/pairing`, { code })
  const { items } = await page.phoneShows(phone, 'consent')
  await page.answer(
    phone,
    items.map(() => 0),
  )
  const { shared } = await page.phoneShows(phone, 'done')
  const finished = await browser.post(`${at}/finish`, {})
  const back = await browser.follow(JSON.parse(finished.text).location)
  await site.get(back.location ?? '')
  return shared.map(({ name }) => name)
}

export async function signInAtBoth(page: Page): Promise<SitesOfTour> {
  const { sites } = await openBoth(page)
  for (const { address } of sites) await signInAt(page, address)
  return sitesNow(page)
}
