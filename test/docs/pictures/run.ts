/** `npm run pictures`: takes the pictures of the tour and of the inspector in Chromium, as they look today. @module */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { startDemo } from '../../../demo/demo.ts'
import type { Demo } from '../../../demo/options.ts'
import { begin, heading, launch, phone, site, visit } from '../../demo/browser.ts'
import { OPTIONS, pageOf } from '../../demo/start.ts'
import { until, visitInspector } from '../../http/inspector/page-in-browser.ts'
import { PROJECT } from '../../project.ts'
import { hashOfSources, PICTURES, TAKEN_FILE } from './pictures.ts'

/** The pictures show the addresses of the demo. */
const PORT = 28_090
const sized = (width: number, height: number): BrowserContextOptions => ({
  viewport: { width, height },
  colorScheme: 'light',
})

async function takeTour(browser: Browser, { address }: Demo): Promise<void> {
  await visit(browser, address, sized(1280, 720), async page => {
    await begin(page, 'Receive both cards')
    await phone(page).getByRole('button', { name: 'Receive' }).click()
    await heading(page, 'Two cards for you').waitFor()
    await site(page).getByRole('button', { name: 'Step 2: Log in' }).click()
    await begin(page, 'Log in with your wallet')
    await phone(page).getByRole('button', { name: 'Share' }).click()
    await heading(page, 'You are logged in').waitFor()
    await page.screenshot({ path: join(PROJECT, 'docs/tour.png') })
  })
}

async function takeInspector(browser: Browser, demo: Demo): Promise<void> {
  const calls = pageOf(demo)
  const { inspector } = await calls.tour()
  await visitInspector(browser, inspector, { context: sized(1280, 860) }, async page => {
    await calls.complete('login', [0])
    await calls.ask('login')
    await until(page, `window.lit.at(-1) === 'CONNECTED.awaiting'`)
    await page.screenshot({ path: join(PROJECT, 'docs/inspector.png') })
  })
}

const browser = await launch()
const demo = await startDemo({ ...OPTIONS, port: PORT })
try {
  await takeTour(browser, demo)
  await takeInspector(browser, demo)
  const taken = Object.fromEntries(PICTURES.map(picture => [picture, hashOfSources(picture)]))
  writeFileSync(TAKEN_FILE, `${JSON.stringify(taken, null, 2)}\n`)
  console.log(`taken: ${PICTURES.join(', ')}`)
} finally {
  await demo.close()
  await browser.close()
}
