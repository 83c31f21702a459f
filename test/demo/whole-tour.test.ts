/** The whole tour with clicks on every step, in a wide window and in a phone's window. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { begin, choose, hasChromium, heading, launch, overflow, phone, site, visit } from './browser.ts'
import { expectAboveRow, expectInView } from './in-view.ts'
import { startTestDemo } from './start.ts'
import { takeTwoSites } from './take-two-sites.ts'
import { expectTwoProofs } from './two-proofs.ts'

const Tour = suite('demo: the whole tour in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Tour.skip : Tour
/** The button that leads to the last step. */
const LAST = 'Step 11: Two sites'
const browser = hasChromium ? await launch() : null

type Stop = {
  /** on the web site */
  readonly button: string
  /** on the phone, in order */
  readonly answers: readonly string[]
  readonly title: string
  /** in the order of the page */
  readonly told: readonly string[]
  readonly next: string
}

/** The steps that begin with a QR code, in their order. */
const STOPS: readonly Stop[] = [
  {
    button: 'Receive both cards',
    answers: ['Receive'],
    title: 'Two cards for you',
    told: [
      'The site sees',
      'Nothing from your phone',
      'It does not see',
      'Where',
      'It handed out',
      'SPECI2014',
    ],
    next: 'Step 2: Log in',
  },
  {
    button: 'Log in with your wallet',
    answers: ['Share'],
    title: 'You are logged in',
    told: ['The site sees', 'Student number', 's1234567', 'It does not see', 'University', 'Level'],
    next: 'Step 3: One of two',
  },
  {
    button: 'Log in with either card',
    answers: ['Share'],
    title: 'You are logged in',
    told: ['You kept your name', 'The site sees', 'City University', 'It does not see', 'the other card'],
    next: 'Step 4: Sign a contract',
  },
  {
    button: 'Read and sign',
    answers: ['Sign'],
    title: 'The contract is signed',
    told: ['The site sees', 'de Vries', 'I rent room 12', 'Signed on', 'It does not see', 'Document number'],
    next: 'Step 5: A card for a card',
  },
  {
    button: 'Get your library card',
    answers: ['Share and receive'],
    title: 'Here is your library card',
    told: [
      'The site sees',
      'City University',
      'It does not see',
      'It handed out',
      'Demo note',
      'Library card',
    ],
    next: 'Step 6: Two in a row',
  },
  {
    button: 'Join with your wallet',
    answers: ['Share', 'Receive'],
    title: 'Good luck in the raffle',
    told: [
      'The site sees',
      'master',
      'It does not see',
      'The number',
      'It handed out',
      'Demo lottery ticket',
    ],
    next: 'Step 7: On the phone',
  },
]
const PERMIT: Stop = {
  button: 'Get a permit and show it',
  answers: ['Receive', 'Share'],
  title: 'You may set up your stall',
  told: [
    'It has not been revoked',
    'The site sees',
    'Kind',
    'Demo permit, not revoked',
    'It does not see',
    'Where else',
    'It handed out',
    'Permit number',
  ],
  next: 'Revoke the permit',
}

/** The button at the end of a step, and the next screen after it. */
async function goOn(page: Page, name: string): Promise<void> {
  const button = site(page).getByRole('button', { name })
  await expectInView(page, button)
  await button.click()
}

async function take(page: Page, { button, answers, title, told, next }: Stop): Promise<void> {
  assert.is(await site(page).getByText('For this step the phone needs').count(), 0)
  await expectInView(page, site(page).getByRole('button', { name: button }))
  await begin(page, button)
  for (const answer of answers) {
    const control = phone(page).getByRole('button', { name: answer, exact: true })
    await expectInView(page, control)
    await control.click()
  }
  await heading(page, title).waitFor()
  await expectTold(page, told)
  await expectInView(page, site(page).getByRole('button', { name: next }))
  await expectAboveRow(page)
  for (const json of ['The result, as JSON', 'What the site asked, as JSON'])
    await site(page).getByText(json).click()
  assert.is(await overflow(page), 0)
  await page.evaluate('scrollTo(0, 0)')
  await goOn(page, next)
}

async function expectTold(page: Page, told: readonly string[]): Promise<void> {
  const text = await site(page).innerText()
  let at = 0
  for (const words of told) {
    at = text.indexOf(words, at)
    assert.ok(at >= 0, `expected "${words}", after what came before, in: ${text}`)
  }
  assert.is(await overflow(page), 0)
}

/** Uses a link instead of the code; the wallet leads back to the page, which is opened again. */
async function takeLink(page: Page): Promise<void> {
  assert.ok(await page.getByLabel('Device pairing').isDisabled())
  await site(page).getByRole('button', { name: 'Prove that you are over 18' }).click()
  await heading(page, 'Go on in your wallet').waitFor()
  assert.is(await site(page).getByRole('img', { name: 'QR code' }).count(), 0)
  await site(page).getByRole('link', { name: 'Open the wallet app' }).click()
  await phone(page).getByRole('button', { name: 'Share' }).click()
  await heading(page, 'The wallet is done').waitFor()
  assert.is(await overflow(page), 0)
  await phone(page).getByRole('link', { name: 'Back to' }).click()
  await heading(page, 'Thank you, you are over 18').waitFor()
  await expectTold(page, ['The site sees', 'Over 18', 'yes', 'It does not see', 'Family name'])
  await goOn(page, 'Step 8: A revoked card')
}

/** Revokes the card, and requests it again. */
async function takeRevoked(page: Page): Promise<void> {
  await take(page, PERMIT)
  await heading(page, 'The permit has been revoked').waitFor()
  await expectTold(page, ['Nobody has told the phone', 'The revocation, as JSON'])
  await goOn(page, 'Show the permit again')
  await heading(page, 'Scan this code with your phone').waitFor()
  await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
  await heading(page, 'asks for a card that still counts').waitFor()
  await phone(page).getByText('Your Demo permit has been revoked.').waitFor()
  assert.is(await overflow(page), 0)
  await phone(page).getByRole('button', { name: 'Close' }).click()
  await heading(page, 'No stall without a permit that counts').waitFor()
  await expectTold(page, ['Nothing at all', 'on your phone'])
  await phone(page).getByText('The wallet could not answer.').waitFor()
  await phone(page).getByRole('button', { name: 'Close' }).click()
  await phone(page).getByRole('listitem').filter({ hasText: 'Demo permit' }).getByText('Revoked').waitFor()
  await goOn(page, 'Step 9: Two logins')
}

/** Two sessions, and the comparison of both. */
async function takeTwice(page: Page): Promise<void> {
  const first = { button: 'Log in for the first time', answers: ['Share'], title: 'You are logged in' }
  const told = ['The site sees', 'Over 18', 'yes', 'It does not see', 'Whether you have been here before']
  await take(page, { ...first, told, next: 'Log in once more' })
  await heading(page, 'Scan this code with your phone').waitFor()
  await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
  await phone(page).getByRole('button', { name: 'Share', exact: true }).click()
  await heading(page, 'You are logged in again').waitFor()
  await heading(page, 'Shared').waitFor()
  await expectTold(page, ['Only what you showed is the same', 'First login', 'Second login', 'the same'])
  await expectTold(page, ['The proof', '9 numbers, none alike', 'different', 'Step 10: With a PIN'])
  await expectInView(page, site(page).getByRole('button', { name: 'Step 10: With a PIN' }))
  await expectTwoProofs(page)
}

/** The phone gets a PIN, and a card that needs it. */
async function takePin(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)')
  await goOn(page, 'Step 10: With a PIN')
  await site(page).getByRole('button', { name: 'Set up a PIN on the phone' }).click()
  for (const [title, go] of [
    ['Choose a PIN', 'Next'],
    ['Once more', 'OK'],
  ] as const) {
    await phone(page).getByLabel(title).waitFor()
    for (const digit of '40312') {
      const key = phone(page).getByRole('button', { name: digit, exact: true })
      await expectInView(page, key)
      await key.click()
    }
    await phone(page).getByRole('button', { name: go }).click()
  }
  await phone(page).getByRole('button', { name: 'Set up', exact: true }).click()
  await heading(page, 'Your PIN is set').waitFor()
  await phone(page).getByRole('button', { name: 'Close' }).click()
  await begin(page, 'Log in with your PIN')
  await phone(page).getByRole('button', { name: 'Share' }).click()
  await phone(page).getByLabel('Your PIN').fill('40312')
  await expectInView(page, phone(page).getByRole('button', { name: 'OK' }))
  await phone(page).getByRole('button', { name: 'OK' }).click()
  await heading(page, 'You are logged in').waitFor()
  await expectTold(page, ['The site sees', 'User name', 'It does not see', 'Your PIN'])
  await expectInView(page, site(page).getByRole('button', { name: LAST }))
}

/** Two sites of the provider, which know the user by different values of `sub`. */
async function takeSites(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)')
  await goOn(page, LAST)
  assert.ok(await page.getByLabel('Device pairing').isDisabled())
  const subs = await takeTwoSites(page)
  const told = ['over18', 'the same', 'true', 'true', 'sub', 'different', ...subs]
  await expectTold(page, ['Night Cinema', ...told, 'You have seen the whole tour'])
}

/** Issues the permit several times: the list of cards grows longer than the phone. */
async function expectNoCardCovered(page: Page): Promise<void> {
  await choose(page, 8)
  for (const _ of ['sixth', 'seventh']) {
    await begin(page, PERMIT.button)
    for (const answer of PERMIT.answers)
      await phone(page).getByRole('button', { name: answer, exact: true }).click()
    await heading(page, PERMIT.title).waitFor()
    await site(page).getByRole('button', { name: 'Start again' }).click()
    await heading(page, 'My cards').waitFor()
    const card = await phone(page).getByRole('listitem').last().boundingBox()
    const button = await phone(page).getByRole('button', { name: 'Scan QR code' }).boundingBox()
    assert.ok(card && button && card.y > 0 && card.y + card.height <= button.y)
  }
}

for (const viewport of [
  { width: 1280, height: 720 },
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
])
  test(`eleven steps by clicking, on a window of ${viewport.width} x ${viewport.height}, and again with an empty phone`, async () => {
    const demo = await startTestDemo()
    if (!browser) throw new Error('expected a browser')
    try {
      await visit(browser, demo.address, { viewport }, async page => {
        await page.getByText('No cards yet').waitFor()
        assert.is(await overflow(page), 0)
        for (const stop of STOPS) await take(page, stop)
        await takeLink(page)
        await takeRevoked(page)
        await takeTwice(page)
        await takePin(page)
        await takeSites(page)
        await page.getByText('All eleven steps done').waitFor()
        await heading(page, 'My cards').waitFor()
        assert.is(await phone(page).getByRole('listitem').count(), 6)
        await expectNoCardCovered(page)
        await page.getByRole('button', { name: 'Begin again' }).click()
        await page.getByRole('button', { name: 'Empty the phone' }).click()
        await page.getByText('No cards yet').waitFor()
        await page.getByText('0 of 11 steps done').waitFor()
        await heading(page, 'Cards for your phone').waitFor()
      })
    } finally {
      await demo.close()
    }
  })

Tour.after(() => browser?.close())
Tour.run()
