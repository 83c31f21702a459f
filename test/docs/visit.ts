/** A reader's browser: it opens the page of the first question, and uses a command in place of a phone. @module */
import type { Browser, Page } from 'playwright-core'
import { differenceOf } from './output.ts'
import type { Visit } from './reader.ts'

/** The `pre` of the page shows a command for the terminal first, and the result of the session afterwards. */
export function visitWith(browser: Browser): Visit {
  return async (address, expected, run) => {
    const page = await browser.newPage()
    const seen = eventsOf(page)
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
    } catch (error) {
      const text = await page.locator('body').innerText()
      throw new Error(`${error}\n${address} shows\n${text}\nafter\n${seen.join('\n')}`, { cause: error })
    } finally {
      await page.close()
    }
  }
}

/** The calls and messages of a page, for the error of a failed test. */
function eventsOf(page: Page): readonly string[] {
  const seen: string[] = []
  page.on('console', message => seen.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => seen.push(`page error: ${error.message}`))
  page.on('response', response => seen.push(`${response.status()} ${response.url()}`))
  page.on('requestfailed', request => seen.push(`${request.failure()?.errorText} ${request.url()}`))
  return seen
}
