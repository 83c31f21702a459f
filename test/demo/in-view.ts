/** What a person sees of the tour without scrolling, on a wide window. @module */
import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { site } from './browser.ts'

/** Without scrolling: neither the row of the next button nor anything on the phone may need it. */
export async function expectInView(page: Page, control: Locator): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  if (width <= 736) return // one side below the other
  assert.is(await page.evaluate('scrollY'), 0)
  await control.waitFor()
  const box = await control.boundingBox()
  assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${control}: ${JSON.stringify(box)}`)
}

/** The least room between what is to be seen on a wide window and the row of the next button. */
const CLEAR_PX = 12

/** Without scrolling: what the site does not see ends above the row of the next button, and the first card that it handed out begins there. */
export async function expectAboveRow(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) <= 736) return // one side below the other
  const row = await site(page).locator('.onwards').boundingBox()
  const ends = [
    site(page).locator('.hidden li').last(),
    ...(await site(page).locator('.issued strong').all()).slice(0, 1),
  ]
  for (const end of ends) {
    const box = await end.boundingBox()
    assert.ok(row && box && box.y + box.height + CLEAR_PX <= row.y, `${end}: ${JSON.stringify({ box, row })}`)
  }
}
