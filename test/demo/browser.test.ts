/** Situations of a visitor to the tour: pairing, choices, refusals and cancels, a small window and the dark theme. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { begin, choose, hasChromium, heading, launch, overflow, phone, site, visit } from './browser.ts'
import { lowContrast } from './contrast.ts'
import { pageOf, startTestDemo } from './start.ts'

const Tour = suite('demo: situations of a visitor, in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Tour.skip : Tour
const demo = hasChromium ? await startTestDemo() : null
const browser = hasChromium ? await launch() : null
if (demo) await pageOf(demo).complete('cards', [])

const LOG_IN = 'Log in with your wallet'
const EITHER = 'Log in with either card'

/** A test that begins with step `number`, on a phone that has its first cards. */
async function at(
  number: number,
  use: (page: Page) => Promise<void>,
  options: Parameters<typeof visit>[2] = {},
): Promise<void> {
  if (!browser || !demo) throw new Error('expected a browser and a demo')
  await visit(browser, demo.address, options, async page => {
    await choose(page, number)
    await use(page)
  })
}

test('phone and site show the shared attributes, and the site shows the result as JSON', () =>
  at(2, async page => {
    await begin(page, LOG_IN)
    await heading(page, 'asks you to share').waitFor()
    const question = await phone(page).innerText()
    for (const words of [
      `course-pages.localhost:${new URL(demo?.address ?? '').port}`,
      'Student number',
      's1234567',
      'Demo student card',
    ])
      assert.ok(question.includes(words), words)
    assert.match(await site(page).innerText(), 'Nothing has been shared yet')
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'You are logged in').waitFor()
    await heading(page, 'Shared').waitFor()
    assert.match(
      await phone(page).innerText(),
      /Shared\s+with course-pages\.localhost:\d+\s+Student number: s1234567/,
    )
    const track = await page.getByRole('list', { name: 'Statuses of the session' }).innerText()
    assert.match(track, /INITIALIZED.*CONNECTED.*DONE/s)
    await site(page).getByText('The result, as JSON').click()
    const json = JSON.parse(await site(page).getByRole('region', { name: 'The result, as JSON' }).innerText())
    assert.equal(
      [json.status, json.proofStatus, json.disclosed[0][0].rawvalue],
      ['DONE', 'VALID', 's1234567'],
    )
    assert.not('token' in json)
    await site(page).getByRole('button', { name: 'Start again' }).click()
    await site(page).getByRole('button', { name: LOG_IN }).waitFor()
    await heading(page, 'My cards').waitFor()
  }))

test('with pairing the site asks for the code on the phone, and refuses a wrong one', () =>
  at(2, async page => {
    await page.getByLabel('Device pairing').check()
    await begin(page, LOG_IN)
    await heading(page, 'Type this code on the web site').waitFor()
    const code = (await page.locator('#pin').innerText()).replace(/\D/g, '')
    assert.match(code, /^\d{4}$/)
    await page.getByLabel('Four digits').fill(code === '0000' ? '1111' : '0000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('That is not the code on the phone').waitFor()
    assert.match(await page.locator('#status').innerText(), 'Comparing codes')
    await page.getByLabel('Four digits').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'You are logged in').waitFor()
    const track = await page.getByRole('list', { name: 'Statuses of the session' }).innerText()
    assert.match(track, /INITIALIZED.*PAIRING.*CONNECTED.*DONE/s)
  }))

test('the chosen card is shared, and an optional attribute when it is chosen', () =>
  at(3, async page => {
    await begin(page, EITHER)
    const optional = page.getByRole('group', { name: 'Only if you like' })
    assert.ok(await optional.getByRole('radio', { name: 'Share nothing here' }).isChecked())
    await optional.getByRole('radio', { name: 'Family name' }).check()
    await page.getByRole('group', { name: 'Choose one' }).getByRole('radio', { name: 'Document' }).check()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await page.getByText('With identity card SPECI2014. Welcome, de Vries.').waitFor()
  }))

test('after a refusal the site has seen nothing', () =>
  at(4, async page => {
    await begin(page, 'Read and sign')
    await phone(page).getByRole('button', { name: 'Refuse' }).click()
    await heading(page, 'Stopped').waitFor()
    await heading(page, 'Nothing was shared').waitFor()
    assert.match(await site(page).innerText(), 'Nothing at all.')
    assert.match(await page.locator('#track').innerText(), 'CANCELLED')
  }))

test('a user who refuses in the wallet app on the same phone returns to the site, which sees nothing', () =>
  at(7, async page => {
    await site(page).getByRole('button', { name: 'Prove that you are over 18' }).click()
    await site(page).getByRole('link', { name: 'Open the wallet app' }).click()
    await phone(page).getByRole('button', { name: 'Refuse' }).click()
    await heading(page, 'Stopped').waitFor()
    await phone(page).getByRole('link', { name: 'Back to' }).click()
    await page.waitForURL(demo?.address ?? '')
    await heading(page, 'Stopped').waitFor()
  }))

test('the site can cancel, and the phone that answers then shares nothing', () =>
  at(2, async page => {
    await begin(page, LOG_IN)
    await heading(page, 'asks you to share').waitFor()
    await site(page).getByRole('button', { name: 'Cancel' }).click()
    await heading(page, 'Stopped on this web site').waitFor()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await page.getByText('The session had already ended.').waitFor()
  }))

test('a request is shown as a program in the language that was chosen, and copied', () =>
  at(
    2,
    async page => {
      const clipboard = async () => String(await page.evaluate('navigator.clipboard.readText()'))
      const own = site(page).getByText('Do this in your own site')
      const program = site(page).getByRole('region', { name: 'Program' })
      const copied = async () => {
        await site(page).getByRole('button', { name: 'Copy' }).click()
        await site(page).getByText('Copied').waitFor()
        const [inClipboard, shown] = [await clipboard(), await program.textContent()]
        assert.is(inClipboard, shown)
        return inClipboard
      }
      const isCommand = new RegExp(
        `^curl '${demo?.address}session' -H .* --data-raw '\\{.*studentnumber.*\\}'$`,
      )
      await site(page).getByRole('button', { name: LOG_IN }).click()
      await own.click()
      assert.match(await copied(), isCommand)
      for (const [language, beginning] of [
        ['JavaScript', 'const request = {'],
        ['PHP', '<?php'],
        ['Python', 'import json'],
      ] as const) {
        await site(page).getByRole('radio', { name: language }).check()
        assert.ok((await copied()).startsWith(beginning), language)
      }
      await page.evaluate("navigator.clipboard.writeText('')")
      await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
      await phone(page).getByRole('button', { name: 'Share' }).click()
      await heading(page, 'You are logged in').waitFor()
      await own.click()
      assert.match(await copied(), /^import json.*studentnumber/s)
      assert.is(await overflow(page), 0)
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ))

test('if the clipboard cannot be written, the program is selected', () =>
  at(2, async page => {
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('closed'))")
    await site(page).getByRole('button', { name: LOG_IN }).click()
    await site(page).getByText('Do this in your own site').click()
    await site(page).getByRole('button', { name: 'Copy' }).click()
    await site(page).getByText('copy it with your keyboard').waitFor()
    assert.match(String(await page.evaluate('getSelection().toString()')), /^curl '/)
  }))

test('logins that have something in common are not called unlinkable', () =>
  at(9, async page => {
    await page.route('**/demo/site/result/*', async route => {
      const response = await route.fetch()
      const answer = await response.json()
      const comparison = answer.comparison && { ...answer.comparison, alike: 1 }
      await route.fulfill({ response, json: { ...answer, comparison } })
    })
    await begin(page, 'Log in for the first time')
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await site(page).getByRole('button', { name: 'Log in once more' }).click()
    await heading(page, 'Scan this code with your phone').waitFor()
    await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await page.getByText('have something in common that you did not show').waitFor()
    await page.getByText('9 numbers, 1 alike').waitFor()
  }))

test('the address bar shows the name of the web site of each step', () =>
  at(2, async page => {
    const { port } = new URL(demo?.address ?? '')
    for (const [number, name] of ['city-counter', 'course-pages', 'reading-room'].entries()) {
      await choose(page, number + 1)
      assert.is(await page.locator('#address').innerText(), `${name}.localhost:${port}`)
    }
  }))

test('a scan before there is a code shows a message', () =>
  at(2, async page => {
    await phone(page).getByRole('button', { name: 'Scan QR code' }).click()
    await page.getByText('There is no QR code on the screen.').waitFor()
  }))

test('a change to another step during the start of a session ends that session', () =>
  at(2, async page => {
    let answer = (): void => undefined
    const asked = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/demo/site/start', async route => {
      await asked
      await route.continue()
    })
    const cancelled = page.waitForRequest(request => request.method() === 'DELETE')
    await site(page).getByRole('button', { name: LOG_IN }).click()
    await choose(page, 3)
    answer()
    await (await cancelled).response()
    await site(page).getByRole('button', { name: EITHER }).waitFor()
  }))

test('without event streams the page polls the status of both sessions of a chain', () =>
  at(6, async page => {
    await page.route('**/frontend/statusevents', route => route.fulfill({ status: 200, body: '' }))
    await begin(page, 'Join with your wallet')
    await phone(page).getByRole('button', { name: 'Share', exact: true }).click()
    await phone(page).getByRole('button', { name: 'Receive' }).click()
    await heading(page, 'Good luck in the raffle').waitFor()
  }))

test('in a narrow window a mark shows that the other side has news', () =>
  at(
    3,
    async page => {
      const news = page.locator('.sides .news')
      assert.is(await news.count(), 0)
      await begin(page, EITHER)
      await phone(page).getByRole('button', { name: 'Share' }).click()
      await heading(page, 'You are logged in').waitFor()
      await page.locator('.sides .news[data-side="site"]').click()
      assert.is(await news.count(), 0)
    },
    { viewport: { width: 360, height: 740 } },
  ))

for (const colorScheme of ['light', 'dark'] as const)
  test(`every text of the ${colorScheme} theme has enough contrast`, () =>
    at(
      5,
      async page => {
        const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
        assert.is(ground, colorScheme === 'dark' ? 'rgb(16, 20, 27)' : 'rgb(241, 239, 233)')
        const screens: string[] = []
        const look = async () => screens.push(...(await lowContrast(page)))
        await look()
        await page.getByLabel('Device pairing').check()
        await begin(page, 'Get your library card')
        await page.getByLabel('Four digits').fill('x')
        await page.getByRole('button', { name: 'Confirm' }).click()
        await look()
        const code = (await page.locator('#pin').innerText()).replace(/\D/g, '')
        await page.getByLabel('Four digits').fill(code)
        await page.getByRole('button', { name: 'Confirm' }).click()
        const answer = phone(page).getByRole('button', { name: 'Share and receive' })
        await answer.waitFor()
        await look()
        await answer.click()
        await heading(page, 'Here is your library card').waitFor()
        await heading(page, 'Received').waitFor()
        await look()
        assert.equal(screens, [])
      },
      { colorScheme },
    ))

test('the theme can be changed by hand', () =>
  at(
    2,
    async page => {
      const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
      await page.getByRole('button', { name: 'Dark theme' }).click()
      assert.is(await ground(), 'rgb(16, 20, 27)')
      await page.getByRole('button', { name: 'Light theme' }).click()
      assert.is(await ground(), 'rgb(241, 239, 233)')
    },
    { colorScheme: 'light' },
  ))

Tour.after(async () => {
  await browser?.close()
  await demo?.close()
})

Tour.run()
