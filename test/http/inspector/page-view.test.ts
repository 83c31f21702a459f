/** The inspector's page in a browser: the chart can be zoomed and fitted, its map leads to any part, and a path is a sequence diagram. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { ShownStep } from '../../../actors/inspection/views.ts'
import { overflow } from '../../demo/browser.ts'
import { until } from './page-in-browser.ts'
import { actor, NOW, pageTests, serve } from './served-page.ts'

const ONE = actor('1'.padStart(32, '0'))
const CONNECTED = actor(ONE.id, { version: 2, states: ['CONNECTED.awaiting'], status: 'CONNECTED' })
const STEPS: readonly ShownStep[] = [
  {
    chart: 'session',
    id: ONE.id,
    edges: [],
    before: ['INITIALIZED'],
    actor: CONNECTED,
    event: { type: 'app.connected', fields: { at: NOW } },
  },
  {
    chart: 'session',
    id: ONE.id,
    edges: [],
    before: ['CONNECTED.awaiting'],
    event: { type: 'cancelled', fields: { at: NOW + 1_000 } },
    actor: actor(ONE.id, { version: 3, states: ['CANCELLED'], status: 'CANCELLED' }),
  },
]

const boxOf = (selector: string): string => `document.querySelector('${selector}').getBoundingClientRect()`
/** True if the middle of the lit state is inside of the frame. */
const IN_SIGHT = `(() => {
  const [lit, frame] = [${boxOf('.now')}, ${boxOf('#drawing')}]
  const [x, y] = [lit.left + lit.width / 2, lit.top + lit.height / 2]
  return x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom
})()`
const widthOf = async (page: Page): Promise<number> => Number(await page.evaluate(`${boxOf('.chart')}.width`))

const { test, run } = await pageTests('inspector: the view of the chart')

test('the lit state stays in sight at every scale and in a window that becomes narrow', place =>
  serve(place, 1, async ({ page }) => {
    await page.locator('.actor').click()
    await page.locator('.now').waitFor()
    const before = await widthOf(page)
    for (let i = 0; i < 3; i++) {
      await page.getByRole('button', { name: 'Zoom in' }).click()
      assert.ok(await page.evaluate(IN_SIGHT), `zoomed in ${i}`)
    }
    assert.ok((await widthOf(page)) > before * 1.5)
    await page.setViewportSize({ width: 360, height: 740 })
    await until(page, IN_SIGHT)
    assert.is(await overflow(page), 0)
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Zoom out' }).click()
    assert.ok(await page.evaluate(IN_SIGHT), 'zoomed out')
  }))

test('without a chosen actor the initial state is in sight', place =>
  serve(place, 1, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.reload()
    await page.locator('.chart').first().waitFor()
    await until(page, IN_SIGHT.replace('.now', '#drawing [data-state="INITIALIZED"]'))
  }))

test('Fit shows the whole chart without a map, and the map leads to a part', place =>
  serve(place, 1, async ({ page }) => {
    await page.locator('.actor').click()
    await page.locator('.now').waitFor()
    await page.locator('.view-map .lit').waitFor()
    await page.locator('.view-map').click({ position: { x: 3, y: 3 } })
    const scrolled = `document.getElementById('drawing')`
    await until(page, `${scrolled}.scrollTop === 0 && ${scrolled}.scrollLeft === 0`)
    await page.getByRole('button', { name: 'Show the whole chart' }).click()
    await page.locator('.view-map').waitFor({ state: 'hidden' })
    const inside = `${boxOf('.chart')}.height <= ${boxOf('#drawing')}.height`
    assert.ok(await page.evaluate(inside))
  }))

test('the mouse drags the chart', place =>
  serve(place, 1, async ({ page }) => {
    await page.locator('.actor').click()
    await page.locator('.now').waitFor()
    const top = 'document.getElementById("drawing").scrollTop'
    await page.evaluate(`${top} = 200`)
    const box = await page.locator('#drawing').boundingBox()
    const [x, y] = [(box?.x ?? 0) + 100, (box?.y ?? 0) + 200]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y - 60, { steps: 3 })
    await page.mouse.up()
    assert.is(await page.evaluate(top), 260)
    await page.mouse.move(x, y)
    assert.is(await page.evaluate(top), 260, 'the drag has ended')
  }))

test('a kept path is a sequence of events with their parties and times, and a click leads to a step', place =>
  serve(place, 1, async ({ page, send }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('.actor').click()
    send({ type: 'svc.path', id: ONE.id, path: { first: ONE, steps: [...STEPS], isCut: false } })
    await page.getByText('Sequence diagram').click()
    await page.locator('.sequence').waitFor()
    assert.equal(await page.locator('.sequence .party').allTextContents(), ['app', 'caller', 'session'])
    assert.equal(await page.locator('.sequence .event').allTextContents(), ['app.connected', 'cancelled'])
    const [first = '', second = ''] = await page.locator('.sequence .time').allTextContents()
    assert.match(first, /^\d\d:\d\d:00$/)
    assert.match(second, /^\d\d:\d\d:01$/)
    assert.equal(await page.locator('.sequence .move').allTextContents(), [
      'INITIALIZED → CONNECTED · awaiting',
      'CONNECTED · awaiting → CANCELLED',
    ])
    assert.is(await overflow(page), 0)
    const size = `${boxOf('.sequence .event')}.height`
    assert.ok(Number(await page.evaluate(size)) >= 9, 'its text is readable at 360 px')
    await page.locator('.sequence .row').first().click()
    await page.locator('[data-state="CONNECTED.awaiting"].now').waitFor()
    assert.is(await page.locator('.sequence .current .event').textContent(), 'app.connected')
  }))

run()
