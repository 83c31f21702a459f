/** A reader's browser: it opens the page of the first question, and uses a command in place of a phone. @module */
import type { Browser } from 'playwright-core'
import { differenceOf } from './output.ts'
import type { Visit } from './reader.ts'

/** The page shows a command for the terminal first and its result afterwards, both in its `pre`. */
export function visitWith(browser: Browser): Visit {
  return async (address, expected, run) => {
    const page = await browser.newPage()
    try {
      await page.goto(address)
      await page.locator('canvas').waitFor() // the QR code
      const answer = page.locator('pre')
      await answer.filter({ hasText: 'npx' }).waitFor()
      await run((await answer.textContent()) ?? '')
      await answer.filter({ hasNotText: 'npx' }).waitFor()
      const shown = `${await answer.textContent()}\n`
      const { missing } = differenceOf(expected, shown)
      if (missing !== null) throw new Error(`expected the line ${missing} on the page, got\n${shown}`)
    } finally {
      await page.close()
    }
  }
}
