/** The inspector's page in a browser: its lists, its filter, its connection and its token. */
import * as assert from 'uvu/assert'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { overflow } from '../../demo/browser.ts'
import * as patience from '../../patience.ts'
import { CONNECTED } from './page-in-browser.ts'
import { actor, NOW, pageTests, serve, TOKEN } from './served-page.ts'

const { test, run } = await pageTests('inspector: the page')

test('of 100,000 sessions the newest are listed, a hundred at a time, and called a sample', place =>
  serve(place, 100_000, async ({ page }) => {
    await page.getByText('Sessions: 100,000 (a sample: the newest 1,000)').waitFor()
    assert.is(await page.locator('.actor').count(), 100)
    await page.getByRole('button', { name: 'Show more (900 left)' }).click()
    assert.is(await page.locator('.actor').count(), 200)
    const first = await page.locator('.actor').first().innerText()
    for (const part of ['session', 'INITIALIZED', 'due in 1 min', 'for 1 min', 'shop'])
      assert.match(first, part)
    assert.is(await overflow(page), 0)
  }))

test('the list of actors fills its panel, and not more', async place => {
  const below = (part: string): string =>
    `document.getElementById('actors').getBoundingClientRect().bottom - document.getElementById('${part}').getBoundingClientRect().bottom`
  for (const isSkipped of [false, true])
    await serve(place, 2, async ({ page, send }) => {
      if (isSkipped) send({ type: 'svc.skipped', count: 4_321 })
      if (isSkipped) await page.getByText('4321 steps were left out').waitFor()
      await page.locator('.actor').last().waitFor()
      assert.ok(Number(await page.evaluate(below('list'))) < 20)
    })
  await serve(place, 100_000, async ({ page }) => {
    await page.getByRole('button', { name: 'Show more' }).waitFor()
    const bottom = Number(await page.evaluate(below('more')))
    assert.ok(bottom > 0 && bottom < 20)
    assert.ok(await page.evaluate(`document.getElementById('actors').clientHeight <= innerHeight`))
  })
})

test('the text of an empty list depends on whether there is no actor, or none that fits the filter', place =>
  serve(place, 0, async ({ page, send }) => {
    await page.getByText('There is no actor yet.').waitFor()
    send({ type: 'svc.skipped', count: 7 })
    await page.getByText('7 steps were left out').waitFor()
    await page.getByLabel('Requestor').fill('bakery')
    await page.getByText('No actor on the lists fits the filter.').waitFor()
    await page.getByText('7 steps were left out').waitFor({ state: 'hidden' }) // the lists were loaded again
    const fitting = actor('d'.repeat(32), { requestor: 'bakery' })
    send({ type: 'svc.changed', chart: 'session', id: fitting.id, actor: fitting })
    await page.locator('.actor').waitFor()
    assert.not(await page.locator('#nobody').isVisible())
  }))

test('on a narrow window, choosing an actor on the list or in an event shows its chart', place =>
  serve(place, 3, async ({ page, send }) => {
    const top = async (): Promise<number> =>
      Number(await page.evaluate(`document.getElementById('chosen').getBoundingClientRect().top`))
    await page.locator('.actor').first().click()
    const before = await page.evaluate('scrollY')
    assert.is(before, 0) // in a wide window the chart is in view, so the page does not scroll
    await page.setViewportSize({ width: 360, height: 740 })
    assert.ok((await top()) > 740 / 2)
    await page.locator('.actor').first().click()
    assert.ok(Math.abs(await top()) < 1)
    const shown = actor('1'.padStart(32, '0'))
    const event = { type: 'app.fetched', fields: { at: NOW } }
    const { id } = shown
    send({ type: 'svc.step', chart: 'session', id, event, edges: [], before: [], actor: shown })
    await page.locator('.entry button').click()
    assert.ok(Math.abs(await top()) < 1)
  }))

test('on a narrow window, a new session that is followed shows its chart, unless the page is scrolled', place =>
  serve(place, 0, async ({ page, send }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const follow = async (id: string): Promise<void> => {
      const fresh = actor(id.repeat(32), { version: 1 })
      send({ type: 'svc.changed', chart: 'session', id: fresh.id, actor: fresh })
      await page.locator('[aria-current="true"]', { hasText: id }).waitFor()
    }
    await follow('8')
    await page.waitForFunction(`Math.abs(document.getElementById('chosen').getBoundingClientRect().top) < 1`)
    await page.evaluate('scrollTo(0, 100)')
    await follow('9')
    assert.is(await page.evaluate('scrollY'), 100)
  }))

test('the page shows the number of skipped steps, and its button reads the lists again', place =>
  serve(place, 1, async ({ page, heard, send }) => {
    send({ type: 'svc.skipped', count: 4_321 })
    await page.getByText('4321 steps were left out').waitFor()
    await page.getByRole('button', { name: 'Read the lists again' }).click()
    assert.equal(heard.at(-1), { type: 'list' })
    await page.getByText('4321 steps were left out').waitFor({ state: 'hidden' })
  }))

test('the page sends a changed filter to the server, and lists only actors that fit', place =>
  serve(place, 3, async ({ page, heard, send }) => {
    const sleeping = actor('f'.repeat(32), {
      status: 'DONE',
      states: ['DONE'],
      requestor: 'bank',
      isAwake: false,
    })
    send({ type: 'svc.changed', chart: 'session', id: sleeping.id, actor: sleeping })
    await page.locator('.actor', { hasText: 'bank' }).waitFor()
    await page.getByLabel('Kind').selectOption('session')
    await page.getByLabel('Status').selectOption('DONE')
    await page.getByLabel('Requestor').fill('bank')
    const asked = () => heard.filter(({ type }) => type === 'filter')
    await patience.until(() => asked().length >= 4, 'four filters')
    assert.equal(asked().at(-1), { type: 'filter', chart: 'session', status: 'DONE', requestor: 'bank' })
    assert.is(await page.locator('.actor').count(), 1)
    assert.match(await page.locator('.actor').innerText(), 'asleep')
  }))

test('a change of the filter reads the lists again, because actors that the former filter left out may have changed', place =>
  serve(place, 1, async ({ page, heard, send }) => {
    send({ type: 'svc.skipped', count: 7 })
    await page.getByText('7 steps were left out').waitFor()
    assert.not(heard.some(({ type }) => type === 'list'))
    await page.getByLabel('Status').selectOption('DONE')
    await page.getByText('7 steps were left out').waitFor({ state: 'hidden' })
    const asked = { type: 'filter', chart: '', status: 'DONE', requestor: '' }
    assert.equal(heard.slice(-2), [asked, { type: 'list' }])
  }))

test('the page sends at most as many messages in a second as the server accepts, and always the last choice and filter', place =>
  serve(
    place,
    0,
    async ({ page, heard, send }) => {
      await page.clock.pauseAt(Date.now() + 60_000)
      const before = heard.length
      const news = Array.from({ length: 200 }, (_, i) => actor(`${i}`.padStart(32, '0')))
      for (const each of news) send({ type: 'svc.changed', chart: 'session', id: each.id, actor: each })
      const typed = 'a requestor with a long name'
      await page.getByLabel('Requestor').pressSequentially(typed)
      let seconds = 0
      const last = (wanted: string) => JSON.stringify(heard.filter(({ type }) => type === wanted).at(-1))
      const filter = JSON.stringify({ type: 'filter', chart: '', status: '', requestor: typed })
      const chosen = JSON.stringify({ type: 'choose', id: news.at(-1)?.id })
      const isLast = (): boolean => last('filter') === filter && last('choose') === chosen
      await patience.until(isLast, 'the last of what was chosen and typed', async () => {
        await page.clock.runFor(1_000)
        await page.evaluate('0') // messages that the page has already sent arrive first
        seconds++
      })
      const said = heard.length - before
      assert.ok(said <= 10 * (seconds + 1), `${said} messages in ${seconds} s`)
    },
    { isClockOurs: true },
  ))

test('the page shows why the server ended a connection, and opens another one by itself', place =>
  serve(place, 1, async ({ page, close }) => {
    await close(1013, 'expected a viewer that reads, got one that is too slow')
    await page.getByText('Not connected: expected a viewer that reads').waitFor()
    await page.getByText(CONNECTED).waitFor()
  }))

test('a session is found by the hash of its token, and the page does not send the token', place =>
  serve(place, 1, async ({ page, heard, send }) => {
    const token = 'q1w2e3r4t5y6u7i8o9p0'
    await page.getByLabel('Find a session').fill(`https://example.org/svc/session/${token}`)
    await page.getByRole('button', { name: 'Find' }).click()
    const id = hashOfToken(token)
    send({ type: 'svc.found', id, actor: actor(id, { isAwake: false }) })
    await page.getByRole('heading', { name: `session ${id.slice(0, 8)}` }).waitFor()
    assert.ok(heard.some(message => JSON.stringify(message) === JSON.stringify({ type: 'find', id })))
    assert.not.match(JSON.stringify(heard), token)
  }))

test('the theme is the one of the system until its button is pressed', place =>
  serve(place, 0, async ({ page }) => {
    const scheme = 'getComputedStyle(document.documentElement).colorScheme'
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.is(await page.evaluate(scheme), 'light dark')
    await page.getByRole('button', { name: 'Light theme' }).click()
    assert.is(await page.evaluate(scheme), 'light')
    await page.getByRole('button', { name: 'Dark theme' }).click()
    assert.is(await page.evaluate(scheme), 'dark')
  }))

test('a text from the server is never read as HTML', place =>
  serve(place, 0, async ({ page, send }) => {
    const requestor = '<img src=x onerror=alert(1)>'
    const odd = actor('e'.repeat(32), { requestor })
    send({ type: 'svc.changed', chart: 'session', id: odd.id, actor: odd })
    await page.locator('.actor', { hasText: requestor }).waitFor()
    assert.is(await page.locator('main img').count(), 0)
  }))

test('without a token the page asks for one, and connects with it', async ({ browser, port }) => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.getByRole('textbox', { name: 'Token', exact: true }).fill(TOKEN)
  await page.getByRole('button', { name: 'Watch' }).click()
  await page.getByText(CONNECTED).waitFor()
  await page.close()
})

test('with a wrong token the page shows the error, asks for the right token, and connects with it', async ({
  browser,
  port,
}) => {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/#another`)
  await page.getByRole('heading', { name: 'The token is another one' }).waitFor()
  const words = 'Not connected: token: expected the token that was printed at the start, got another or none'
  assert.is(await page.locator('#connection').textContent(), words)
  await page.getByRole('textbox', { name: 'Token', exact: true }).fill(TOKEN)
  await page.getByRole('button', { name: 'Watch' }).click()
  await page.getByText(CONNECTED).waitFor()
  await page.close()
})

run()
