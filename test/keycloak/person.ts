/** A person with a wallet of the demo and a browser, at the pages of Keycloak and of the provider. @module */
import type { Browser, Page } from 'playwright-core'
import { APP_LINKS } from '../../http/oidc/app-link.ts'
import { answerSession } from '../../libraries/wallet/session.ts'
import type { Wallet } from '../../libraries/wallet/wallet.ts'
import { createSystemClock } from '../../ports/clock.ts'
import { newWallet, deps as walletDeps } from '../wallet/demo-wallets.ts'
import { ALIAS } from './admin.ts'

export type Person = {
  readonly page: Page
  /** Opens the account page of Keycloak, chooses the wallet, and answers with it. */
  signIn(): Promise<void>
  /** Signs out in the account page, and confirms it at the provider. */
  signOut(): Promise<void>
  close(): Promise<void>
}

/** @param number of the registration card, which decides the `sub`
 *  @param account address of the account page */
export async function personWith(browser: Browser, number: string, account: string): Promise<Person> {
  const wallet = await newWallet([
    {
      type: 'svc-demo.gov.idcard',
      attributes: { initials: 'A.M.', familyname: 'de Vries', over18: 'yes', docnumber: number },
    },
    { type: 'svc-demo.gov.registration', attributes: { number, over18: 'yes' } },
  ])
  const context = await browser.newContext()
  const page = await context.newPage()
  return {
    page,
    async signIn() {
      await page.goto(account)
      await page.locator(`#social-${ALIAS}`).click()
      await answerAt(page, wallet)
    },
    async signOut() {
      await page.getByTestId('options-toggle').click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
    },
    close: () => context.close(),
  }
}

/** Scans the code of the provider's page, and types the code of the app into it. */
async function answerAt(page: Page, wallet: Wallet): Promise<void> {
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const link = (await page.locator('#app').getAttribute('href')) ?? ''
  const pointer = decodeURIComponent(link.slice(APP_LINKS.svc.length))
  const clock = createSystemClock({ keepsAlive: true })
  const { randomBytes } = walletDeps
  const { status } = await answerSession({ wallet, fetch, clock, randomBytes }, pointer, {
    consent: async ({ candidates }) => ({ answer: 'disclose', choices: candidates.items.map(() => 0) }),
    pairing: code => void typeCode(page, code),
  })
  if (status !== 'success') throw new Error(`expected a login, got ${status}`)
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code in the app').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}
