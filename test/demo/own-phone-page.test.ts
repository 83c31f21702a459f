/** "Try it with your own phone" on the page of the tour, in a browser; the wallet of the tests is the phone. @module */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { startDemo } from '../../demo/demo.ts'
import type { Demo } from '../../demo/options.ts'
import { startPhone } from '../frontends/phone.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { hasChromium, launch, overflow, visit } from './browser.ts'
import { lowContrast } from './contrast.ts'
import { OPTIONS, startTestDemo } from './start.ts'

const Own = suite('demo: your own phone, in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? Own.skip : Own
const NARROW = { viewport: { width: 360, height: 740 } }
const TITLE = 'Try it with your own phone'

async function withDemo(start: () => Promise<Demo>, use: (demo: Demo) => Promise<void>): Promise<void> {
  const demo = await start()
  await use(demo).finally(demo.close)
}

function startForPhone(): Promise<Demo> {
  return startDemo({ ...OPTIONS, ownPhone: { address: '127.0.0.2', schemesPaths: [] } })
}

/** @returns the content of the code on the page */
async function showCode(page: Page): Promise<string> {
  const answered = (path: string) => page.waitForResponse(`**/demo/own-phone/${path}`)
  const [started, code] = [answered('start'), answered('qr/*')]
  await page.getByRole('button', { name: 'Show a QR code' }).click()
  const drawn = await code
  assert.equal([drawn.status(), drawn.headers()['content-type']], [200, 'image/svg+xml'])
  await page.getByRole('img', { name: 'QR code for the wallet app on your phone' }).waitFor()
  return JSON.stringify((await (await started).json()).sessionPtr)
}

test('without a phone the page says how to get one', () =>
  withDemo(startTestDemo, async demo => {
    const browser = await launch()
    await visit(browser, demo.address, NARROW, async page => {
      const section = page.getByRole('region', { name: TITLE })
      await section.getByText('npx attribute-session-service demo --phone').waitFor()
      assert.is(await section.getByRole('button').count(), 0)
      assert.is(await overflow(page), 0)
    }).finally(() => browser.close())
  }))

for (const [end, isAgreed, options] of [
  ['Your phone has proved: Over 18 (Demo identity card): yes.', true, { ...NARROW, colorScheme: 'light' }],
  ['Stopped. Nothing was shared.', false, { colorScheme: 'dark' }],
] as const)
  test(`the page shows what the app needs, the code, each status, and at the end: ${end}`, () =>
    withDemo(startForPhone, async demo => {
      const [browser, phone] = [await launch(), await startPhone()]
      try {
        await visit(browser, demo.address, options, async page => {
          const section = page.getByRole('region', { name: TITLE })
          const said = (words: string) => section.getByRole('status').getByText(words).waitFor()
          const text = await section.innerText()
          for (const words of [
            'Over 18',
            'npx attribute-session-service scheme download',
            `${demo.phoneAddress}/`,
            'developer mode',
          ])
            assert.ok(text.includes(words), words)
          const pointer = await showCode(page)
          await said('Waiting for your phone')
          assert.equal([await overflow(page), await lowContrast(page)], [0, []])
          const scan = phone.scan(pointer)
          await scan.asked()
          await said('Your phone has the question')
          if (isAgreed) scan.agree()
          else scan.refuse()
          await scan.outcome
          await said(end)
          assert.equal([await overflow(page), await lowContrast(page)], [0, []])
          await section.getByRole('button', { name: 'Show another code' }).click()
          await said('Waiting for your phone')
        })
      } finally {
        await browser.close()
        await phone.close()
      }
    }))

Own.run()
