/** `npm run keycloak`: a login at Keycloak, which brokers `svc oidc`, by real programs: the first login, a link to an account that exists, a second login, and a
 *  logout. `--screenshots DIR` saves a picture of each page. `KEYCLOAK_FOLDER` names the folder in which Maven unpacks the distribution. It ends with
 *  exit code 1 at the first step that fails. @module */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { withSvc } from '../cli/run-svc.ts'
import { launch } from '../demo/browser.ts'
import { runProgram } from '../program.ts'
import type { BrokerUser } from './admin.ts'
import { VERSION } from './distribution.ts'
import { type Person, personWith } from './person.ts'
import { startProvider } from './provider.ts'
import { type Keycloak, startKeycloak } from './server.ts'

const REALM = 'shop'
/** An account that exists before the first login with a wallet. */
const OLD = { username: 'old-account', email: 'old@shop.example', firstName: 'A.M.', lastName: 'de Vries' }
const PASSWORD = 'a password of the test'

type Ground = {
  readonly keycloak: Keycloak
  readonly browser: Browser
  readonly account: string
  readonly shoot: (page: Page, name: string) => Promise<void>
}

await runProgram('keycloak', async () => {
  const { values } = parseArgs({ options: { screenshots: { type: 'string' } } })
  const step = stopwatch()
  const keycloak = await startKeycloak()
  try {
    step(`Keycloak ${VERSION} runs`)
    const { running, brokered } = await startProvider(keycloak.address, REALM)
    await withSvc(running, async () => {
      await keycloak.admin.makeRealm(REALM, brokered)
      await keycloak.admin.makeUser(REALM, OLD, PASSWORD)
      step('a realm has svc oidc as its identity provider')
      const browser = await launch()
      const account = `${keycloak.address}/realms/${REALM}/account/`
      const shoot = pictures(values.screenshots)
      await playAll({ keycloak, browser, account, shoot }, step).finally(() => browser.close())
    })
  } finally {
    await keycloak.stop()
  }
})

async function playAll(ground: Ground, step: (name: string) => void): Promise<void> {
  const { browser, account } = ground
  const [first, other] = [
    await personWith(browser, '999990342', account),
    await personWith(browser, '123456782', account),
  ]
  const made = await firstLogin(first, ground)
  step('a first login creates an account')
  await logout(first, ground)
  step('a logout ends at Keycloak and at svc oidc')
  await secondLogin(first, made, ground)
  step('a second login opens the same account')
  await link(other, ground)
  step('another wallet is linked to an account that exists')
}

async function firstLogin(person: Person, ground: Ground): Promise<BrokerUser> {
  await person.signIn()
  await person.page.locator('#email').fill('new@shop.example')
  await ground.shoot(person.page, 'review')
  await person.page.getByRole('button', { name: 'Submit' }).click()
  await isSignedIn(person.page)
  await ground.shoot(person.page, 'signed-in')
  const user = await userWith('new@shop.example', ground)
  assert.equal([user.firstName, user.lastName], ['A.M.', 'de Vries'])
  assert.equal(user.attributes?.over18, ['true'])
  assert.is(user.subs.length, 1)
  return user
}

async function logout(person: Person, { account, shoot }: Ground): Promise<void> {
  await person.signOut()
  await person.page.locator('#social-wallet').waitFor()
  await shoot(person.page, 'signed-out')
  await person.page.goto(account)
  await person.page.locator('#social-wallet').waitFor()
}

async function secondLogin(person: Person, made: BrokerUser, ground: Ground): Promise<void> {
  await person.signIn()
  await isSignedIn(person.page)
  assert.equal(await userWith('new@shop.example', ground), made)
  await person.close()
}

async function link(person: Person, ground: Ground): Promise<void> {
  const { page } = person
  await person.signIn()
  await page.locator('#email').fill(OLD.email)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Add to existing account' }).waitFor()
  await ground.shoot(page, 'exists')
  await page.locator('#linkAccount').click()
  await page.locator('#password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await isSignedIn(page)
  await ground.shoot(page, 'linked')
  const [made, linked] = [await userWith('new@shop.example', ground), await userWith(OLD.email, ground)]
  assert.is(linked.username, OLD.username)
  assert.is(linked.subs.length, 1)
  assert.is.not(linked.subs[0], made.subs[0])
  assert.is((await ground.keycloak.admin.users(REALM)).length, 2)
  await person.close()
}

/** Waits for the account page. Any other page of Keycloak ends the run with an error. */
async function isSignedIn(page: Page): Promise<void> {
  const [info, asking] = [
    page.getByRole('heading', { name: 'Personal info' }),
    page.locator('#kc-page-title'),
  ]
  await info.or(asking).waitFor()
  assert.is(await info.count(), 1, `expected the account page, got ${page.url()}`)
}

async function userWith(email: string, { keycloak }: Ground): Promise<BrokerUser> {
  const user = (await keycloak.admin.users(REALM)).find(each => each.email === email)
  if (user === undefined) throw new Error(`expected an account with ${email}, got none`)
  return user
}

function pictures(folder: string | undefined): Ground['shoot'] {
  if (folder === undefined) return async () => {}
  mkdirSync(folder, { recursive: true })
  return async (page, name) => void (await page.screenshot({ path: join(folder, `${name}.png`) }))
}

function stopwatch(): (name: string) => void {
  let since = performance.now()
  return name => {
    console.log(`${((performance.now() - since) / 1_000).toFixed(1).padStart(6)} s  ${name}`)
    since = performance.now()
  }
}
