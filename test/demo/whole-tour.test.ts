/** The whole tour as a person takes it: every step by clicking, on a wide window and on one of a phone. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { begin, hasChromium, heading, launch, overflow, phone, site, visit } from './browser.ts'
import { startTestDemo } from './start.ts'

const Tour = suite('demo: the whole tour in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Tour.skip : Tour
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
    'Permit number',
    'Which of all permits',
    'It handed out',
  ],
  next: 'Revoke the permit',
}

async function take(page: Page, { button, answers, title, told, next }: Stop): Promise<void> {
  assert.is(await site(page).getByText('For this step the phone needs').count(), 0)
  await begin(page, button)
  for (const answer of answers) await phone(page).getByRole('button', { name: answer, exact: true }).click()
  await heading(page, title).waitFor()
  await expectTold(page, told)
  for (const json of ['The result, as JSON', 'What the site asked, as JSON'])
    await site(page).getByText(json).click()
  assert.is(await overflow(page), 0)
  await site(page).getByRole('button', { name: next }).click()
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

/** A link instead of the code; the wallet leads back, to the page opened anew. */
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
  await site(page).getByRole('button', { name: 'Step 8: A revoked card' }).click()
}

/** The card is revoked, and asked for once more. */
async function takeRevoked(page: Page): Promise<void> {
  await take(page, PERMIT)
  await heading(page, 'The permit has been revoked').waitFor()
  await expectTold(page, ['Nobody has told the phone', 'The revocation, as JSON'])
  await site(page).getByRole('button', { name: 'Show the permit again' }).click()
  await heading(page, 'Scan this code with your phone').waitFor()
  await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
  await heading(page, 'asks for a card that still counts').waitFor()
  await phone(page).getByText('Your Demo permit has been revoked.').waitFor()
  assert.is(await overflow(page), 0)
  await phone(page).getByRole('button', { name: 'Close' }).click()
  await heading(page, 'No stall without a permit that counts').waitFor()
  await expectTold(page, ['Nothing at all', 'whole tour'])
  await phone(page).getByText('The wallet could not answer.').waitFor()
  await phone(page).getByRole('button', { name: 'Close' }).click()
  await phone(page).getByRole('listitem').filter({ hasText: 'Demo permit' }).getByText('Revoked').waitFor()
}

for (const viewport of [
  { width: 1280, height: 860 },
  { width: 360, height: 740 },
])
  test(`eight steps by clicking, at a width of ${viewport.width}, and again with an empty phone`, async () => {
    const demo = await startTestDemo()
    if (!browser) throw new Error('expected a browser')
    try {
      await visit(browser, demo.address, { viewport }, async page => {
        await page.getByText('No cards yet').waitFor()
        assert.is(await overflow(page), 0)
        for (const stop of STOPS) await take(page, stop)
        await takeLink(page)
        await takeRevoked(page)
        await page.getByText('All eight steps done').waitFor()
        assert.is(await phone(page).getByRole('listitem').count(), 5)
        await page.getByRole('button', { name: 'Begin again' }).click()
        await page.getByRole('button', { name: 'Empty the phone' }).click()
        await page.getByText('No cards yet').waitFor()
        await page.getByText('0 of 8 steps done').waitFor()
        await heading(page, 'Cards for your phone').waitFor()
      })
    } finally {
      await demo.close()
    }
  })

Tour.after(() => browser?.close())
Tour.run()
