/** The parts of the tour that are visible without scrolling, in a wide window. @module */
import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { site } from './browser.ts'

/** In a wide window the control must be visible without scrolling. This applies to the row of the next button and to everything on the phone. */
export async function expectInView(page: Page, control: Locator): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  if (width <= 736) return // the two sides are one below the other
  assert.is(await page.evaluate('scrollY'), 0)
  await control.waitFor()
  const box = await control.boundingBox()
  assert.ok(box && box.y >= 0 && box.y + box.height <= height, `${control}: ${JSON.stringify(box)}`)
}

/** The least distance in a wide window between the visible parts and the row of the next button. */
const CLEAR_PX = 12

/** In a wide window, the list of unseen facts and the name of the first issued card end above the row of the next button, without scrolling. */
export async function expectAboveRow(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) <= 736) return // the two sides are one below the other
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
