/** The inspector's page in a browser before a server that does what a test wants: many actors, gaps, and the end of the connection. */
import type { Page, WebSocketRoute } from 'playwright-core'
import * as assert from 'uvu/assert'
import { Inspection } from '../../../actors/inspection/inspection.ts'
import type { ShownActor, ShownStep } from '../../../actors/inspection/views.ts'
import type { PageMessage } from '../../../http/inspector/page-messages.ts'
import { createInspectorServer } from '../../../http/inspector/server.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { hashOfToken } from '../../../stores/token-hash.ts'
import { hasChromium, launch, overflow } from '../../demo/browser.ts'
import { isMissing } from '../../project.ts'
import { suite } from '../../suite.ts'
import { CONNECTED, visitInspector } from './page-in-browser.ts'

const NOW = Date.UTC(2026, 5, 1)
const TOKEN = 'token-of-the-inspector'
const LISTED = 1_000

const InspectorPage = suite('inspector: the page')
const test = isMissing('/usr/bin/chromium', hasChromium) ? InspectorPage.skip : InspectorPage
const browser = hasChromium ? await launch() : null
const server = createInspectorServer({
  inspection: new Inspection(error => {
    throw error
  }),
  ...{ clock: createSimulatedClock(NOW), log: { info() {}, warn() {} }, token: TOKEN },
})
const { port } = await server.listen(0)

function actor(id: string, more: Partial<ShownActor> = {}): ShownActor {
  return {
    ...{
      chart: 'session',
      id,
      version: 1,
      states: ['INITIALIZED'],
      status: 'INITIALIZED',
      sinceAt: NOW - 65_000,
    },
    ...{ dueAt: NOW + 90_000, requestor: 'shop', cause: null, isAwake: true, facts: {} },
    ...more,
  }
}

type Served = {
  readonly page: Page
  /** everything that the page has said */
  readonly heard: readonly { readonly type: string }[]
  /** when it said each of these, in ms */
  readonly heardAt: readonly number[]
  send(message: PageMessage): void
  close(code: number, reason: string): Promise<void>
}

/** @param total how many sessions there are, of which the newest are listed */
async function serve(
  total: number,
  use: (served: Served) => Promise<void>,
  {
    isClockOurs = false,
    kept = [],
  }: { readonly isClockOurs?: boolean; readonly kept?: readonly ShownActor[] } = {},
): Promise<void> {
  if (!browser) throw new Error('expected a browser')
  const heard: { type: string }[] = []
  const heardAt: number[] = []
  let route: WebSocketRoute | null = null
  const send = (message: PageMessage): void => route?.send(JSON.stringify(message))
  const list = (): void => {
    const actors = Array.from({ length: Math.min(total, LISTED) }, (_, i) =>
      actor(`${total - i}`.padStart(32, '0')),
    )
    send({ type: 'svc.list', chart: 'session', total, actors })
  }
  const before = async (page: Page): Promise<void> => {
    if (isClockOurs) await page.clock.install()
    await page.routeWebSocket(/\/page\?/, socket => {
      route = socket
      socket.onMessage(text => {
        heard.push(JSON.parse(String(text)))
        heardAt.push(performance.now())
        if (heard.at(-1)?.type === 'list') list()
      })
      send({
        ...{ type: 'svc.hello', now: NOW, charts: ['session', 'delivery', 'login'], kept },
        bounds: { listed: LISTED, stepsPerSec: 200 },
      })
      list()
    })
  }
  const close = (code: number, reason: string): Promise<void> =>
    route?.close({ code, reason }) ?? Promise.resolve()
  await visitInspector(browser, `http://127.0.0.1:${port}/#${TOKEN}`, { before }, page =>
    use({ page, heard, heardAt, send, close }),
  )
}

test('of 100,000 sessions the newest are listed, a hundred at a time, and the page says that it is a sample', () =>
  serve(100_000, async ({ page }) => {
    await page.getByText('Sessions: 100,000 (a sample: the newest 1,000)').waitFor()
    assert.is(await page.locator('.actor').count(), 100)
    await page.getByRole('button', { name: 'Show more (900 left)' }).click()
    assert.is(await page.locator('.actor').count(), 200)
    const first = await page.locator('.actor').first().innerText()
    for (const part of ['session', 'INITIALIZED', 'due in 1 min', 'for 1 min', 'shop'])
      assert.match(first, part)
    assert.is(await overflow(page), 0)
  }))

test('the list of actors has what room its panel has, and no more', async () => {
  const below = (part: string): string =>
    `document.getElementById('actors').getBoundingClientRect().bottom - document.getElementById('${part}').getBoundingClientRect().bottom`
  for (const isSkipped of [false, true])
    await serve(2, async ({ page, send }) => {
      if (isSkipped) send({ type: 'svc.skipped', count: 4_321 })
      if (isSkipped) await page.getByText('4321 steps were left out').waitFor()
      await page.locator('.actor').last().waitFor()
      assert.ok(Number(await page.evaluate(below('list'))) < 20)
    })
  await serve(100_000, async ({ page }) => {
    await page.getByRole('button', { name: 'Show more' }).waitFor()
    const bottom = Number(await page.evaluate(below('more')))
    assert.ok(bottom > 0 && bottom < 20)
    assert.ok(await page.evaluate(`document.getElementById('actors').clientHeight <= innerHeight`))
  })
})

test('an empty list says whether there is no actor or none that fits the filter', () =>
  serve(0, async ({ page, send }) => {
    await page.getByText('There is no actor yet.').waitFor()
    send({ type: 'svc.skipped', count: 7 })
    await page.getByText('7 steps were left out').waitFor()
    await page.getByLabel('Requestor').fill('bakery')
    await page.getByText('No actor on the lists fits the filter.').waitFor()
    await page.getByText('7 steps were left out').waitFor({ state: 'hidden' }) // the lists were read anew
    const fitting = actor('d'.repeat(32), { requestor: 'bakery' })
    send({ type: 'svc.changed', chart: 'session', id: fitting.id, actor: fitting })
    await page.locator('.actor').waitFor()
    assert.not(await page.locator('#nobody').isVisible())
  }))

test('on a narrow window, choosing an actor on the list or in an event shows its chart', () =>
  serve(3, async ({ page, send }) => {
    const top = async (): Promise<number> =>
      Number(await page.evaluate(`document.getElementById('chosen').getBoundingClientRect().top`))
    await page.locator('.actor').first().click()
    const before = await page.evaluate('scrollY')
    assert.is(before, 0) // on a wide window it is in view
    await page.setViewportSize({ width: 360, height: 740 })
    assert.ok((await top()) > 740 / 2)
    await page.locator('.actor').first().click()
    assert.ok(Math.abs(await top()) < 1)
    const shown = actor('1'.padStart(32, '0'))
    const event = { type: 'app.fetched', fields: { at: NOW } }
    const { id } = shown
    send({ ...{ type: 'svc.step', chart: 'session', id, event, edges: [], before: [] }, actor: shown })
    await page.locator('.entry button').click()
    assert.ok(Math.abs(await top()) < 1)
  }))

test('steps that were left out are said, and the lists are read again when that is wanted', () =>
  serve(1, async ({ page, heard, send }) => {
    send({ type: 'svc.skipped', count: 4_321 })
    await page.getByText('4321 steps were left out').waitFor()
    await page.getByRole('button', { name: 'Read the lists again' }).click()
    assert.equal(heard.at(-1), { type: 'list' })
    await page.getByText('4321 steps were left out').waitFor({ state: 'hidden' })
  }))

test('what is chosen is asked of the server, and the list shows it alone', () =>
  serve(3, async ({ page, heard, send }) => {
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
    for (let i = 0; i < 100 && asked().length < 4; i++) await page.waitForTimeout(50)
    assert.equal(asked().at(-1), { type: 'filter', chart: 'session', status: 'DONE', requestor: 'bank' })
    assert.is(await page.locator('.actor').count(), 1)
    assert.match(await page.locator('.actor').innerText(), 'asleep')
  }))

test('another filter has the lists read anew: what the one before kept away may have changed', () =>
  serve(1, async ({ page, heard, send }) => {
    send({ type: 'svc.skipped', count: 7 })
    await page.getByText('7 steps were left out').waitFor()
    assert.not(heard.some(({ type }) => type === 'list'))
    await page.getByLabel('Status').selectOption('DONE')
    await page.getByText('7 steps were left out').waitFor({ state: 'hidden' })
    const asked = { type: 'filter', chart: '', status: 'DONE', requestor: '' }
    assert.equal(heard.slice(-2), [asked, { type: 'list' }])
  }))

test('however much is new or typed, the page says no more in a second than the server bears, and the last of it', () =>
  serve(0, async ({ page, heard, heardAt, send }) => {
    const news = Array.from({ length: 200 }, (_, i) => actor(`${i}`.padStart(32, '0')))
    for (const each of news) send({ type: 'svc.changed', chart: 'session', id: each.id, actor: each })
    const typed = 'a requestor with a long name'
    await page.getByLabel('Requestor').pressSequentially(typed)
    await page.waitForTimeout(1_500)
    const chosen = heard.filter(({ type }) => type === 'choose').at(-1)
    const filter = heard.filter(({ type }) => type === 'filter').at(-1)
    assert.equal(chosen, { type: 'choose', id: news.at(-1)?.id })
    assert.equal(filter, { type: 'filter', chart: '', status: '', requestor: typed })
    const seconds = (Math.max(...heardAt) - Math.min(...heardAt)) / 1_000
    assert.ok(heard.length <= 10 * (seconds + 1), `${heard.length} messages in ${seconds} s`)
  }))

test('a connection that the server ended is said with its reason, and begins anew by itself', () =>
  serve(1, async ({ page, close }) => {
    await close(1013, 'expected a viewer who reads, got one who is too slow')
    await page.getByText('Not connected: expected a viewer who reads').waitFor()
    await page.getByText(CONNECTED).waitFor()
  }))

test('an actor that is forgotten leaves the list, and its last state stays lit for whoever looks at it', () =>
  serve(1, async ({ page, send }) => {
    const { id } = actor('1'.padStart(32, '0'))
    await page.locator('.actor').click()
    const event = { type: 'xstate.after.untilDeadline.session.DONE', fields: { at: NOW } }
    send({ ...{ type: 'svc.step', chart: 'session', id, event, edges: [], before: ['DONE'] }, actor: null })
    await page.locator('.actor').waitFor({ state: 'detached' })
    await page.locator('#state', { hasText: 'forgotten' }).waitFor()
    assert.is(await page.locator('.now').getAttribute('data-state'), 'forgotten')
    assert.match(await page.locator('.entry').innerText(), 'after untilDeadline')
  }))

const CLOSED = { version: 2, states: [], status: 'CANCELLED' }
const FORGOTTEN = { states: ['forgotten'], status: 'forgotten', sinceAt: null, dueAt: null, isAwake: false }
const ONE = actor('1'.padStart(32, '0'))

test('the chosen actor is shown as it was closed without its chart, and when it is forgotten then', () =>
  serve(1, async ({ page, send }) => {
    const { id, chart } = ONE
    await page.locator('.actor').click()
    await page.locator('[data-state="INITIALIZED"].now').waitFor()
    send({ type: 'svc.changed', chart, id, actor: actor(id, CLOSED) })
    await page.locator('#state', { hasText: 'closed' }).waitFor()
    assert.is(await page.locator('.now').count(), 0)
    send({ type: 'svc.changed', chart, id, actor: null })
    await page.locator('[data-state="forgotten"].now').waitFor()
    assert.match(await page.locator('#facts').innerText(), 'stored no longer')
  }))

test('what is closed and was on no list is not counted once more', () =>
  serve(100_000, async ({ page, send }) => {
    const { id, chart } = actor('c'.repeat(32))
    send({ type: 'svc.changed', chart, id, actor: actor(id, CLOSED) })
    await page.locator('.actor', { hasText: 'closed' }).waitFor()
    assert.match(await page.locator('#counts').innerText(), /^Sessions: 100,000 /)
  }))

test('an actor that is stored no longer when the connection is made anew is shown so', () =>
  serve(1, async ({ page, send }) => {
    const { id } = ONE
    await page.locator('.actor').click()
    await page.locator('[data-state="INITIALIZED"].now').waitFor()
    send({ type: 'svc.found', id, actor: null })
    await page.locator('[data-state="forgotten"].now').waitFor()
    await page.locator('.actor').waitFor({ state: 'detached' })
  }))

test('every ten seconds the lists are read anew, since other servers on the same store may have moved an actor', () =>
  serve(
    1,
    async ({ page, heard, send }) => {
      const { id } = ONE
      await page.locator('.actor').click()
      await page.locator('[data-state="INITIALIZED"].now').waitFor()
      const before = heard.length
      await page.clock.fastForward(10_000)
      await page.locator('.actor').waitFor()
      for (let i = 0; i < 100 && heard.length < before + 2; i++) await page.waitForTimeout(50)
      assert.equal(heard.slice(before), [{ type: 'list' }, { type: 'choose', id }])
      const connected = actor(id, { version: 2, states: ['CONNECTED.awaiting'], status: 'CONNECTED' })
      send({ type: 'svc.list', chart: 'session', total: 1, actors: [connected] })
      await page.locator('[data-state="CONNECTED.awaiting"].now').waitFor()
    },
    { isClockOurs: true },
  ))

/** The cancellation of that actor. */
const CANCELLED: ShownStep = {
  ...{ chart: 'session', id: ONE.id, edges: [], before: ['INITIALIZED'] },
  event: { type: 'cancelled', fields: { at: NOW } },
  actor: actor(ONE.id, { version: 2, states: ['CANCELLED'], status: 'CANCELLED' }),
}
const ITS_END: ShownStep = {
  ...{ chart: 'session', id: ONE.id, edges: [], before: ['CANCELLED'], actor: null },
  event: { type: 'xstate.after.untilDeadline.session.CANCELLED', fields: { at: NOW } },
}

test('the path of an actor that is stored no longer is on the list, and is played again', () =>
  serve(
    0,
    async ({ page, heard, send }) => {
      await page.locator('.actor', { hasText: 'kept' }).click()
      await page.locator('[data-state="forgotten"].now').waitFor()
      assert.equal(heard.at(-1), { type: 'path', id: ONE.id })
      send({ type: 'svc.found', id: ONE.id, actor: null })
      const path = { first: ONE, steps: [CANCELLED, ITS_END], isCut: false }
      send({ type: 'svc.path', id: ONE.id, path })
      await page.getByText('2 steps are kept').waitFor()
      await page.getByRole('button', { name: 'Step back' }).click()
      await page.locator('[data-state="CANCELLED"].now').waitFor()
      await page.getByRole('button', { name: 'Step back' }).click()
      await page.locator('[data-state="INITIALIZED"].now').waitFor()
    },
    { kept: [{ ...ONE, ...FORGOTTEN }] },
  ))

test('a kept path stays on the list when its actor is forgotten, and leaves it when the path is', () =>
  serve(1, async ({ page, send }) => {
    const { id } = ONE
    await page.locator('.actor').click()
    send({ type: 'svc.path', id, path: { first: ONE, steps: [], isCut: false } })
    await page.locator('.actor', { hasText: 'kept' }).waitFor()
    send({ type: 'svc.step', ...CANCELLED })
    send({ type: 'svc.step', ...ITS_END })
    await page.locator('.actor', { hasText: 'forgotten' }).waitFor()
    await page.getByText('2 steps are kept').waitFor()
    send({ type: 'svc.path', id, path: null })
    await page.locator('.actor').waitFor({ state: 'detached' })
  }))

test('a step that is in the path already is not added to it once more', () =>
  serve(1, async ({ page, send }) => {
    await page.locator('.actor').click()
    send({ type: 'svc.path', id: ONE.id, path: { first: ONE, steps: [CANCELLED], isCut: false } })
    await page.getByText('1 step is kept').waitFor()
    send({ type: 'svc.step', ...CANCELLED })
    send({ type: 'svc.step', ...ITS_END })
    await page.getByText('2 steps are kept').waitFor()
  }))

test('the path of the chosen actor is read anew when the connection is', () =>
  serve(
    1,
    async ({ page, heard, close }) => {
      await page.locator('.actor').click()
      const asked = () => heard.filter(({ type }) => type === 'path').length
      for (let i = 0; i < 100 && asked() < 1; i++) await page.waitForTimeout(50)
      await close(1013, 'expected a viewer who reads, got one who is too slow')
      for (let i = 0; i < 200 && asked() < 2; i++) await page.waitForTimeout(50)
      assert.is(asked(), 2)
    },
    { kept: [ONE] },
  ))

test('whoever has scrolled the chart elsewhere stays there until another state is lit', () =>
  serve(2, async ({ page, send }) => {
    await page.locator('.actor').first().click()
    await page.locator('.now').waitFor()
    const scrolled = 'document.getElementById("drawing").scrollTop'
    await page.evaluate(`${scrolled} = 300`)
    const other = actor('d'.repeat(32), { requestor: 'bakery' })
    send({ type: 'svc.changed', chart: 'session', id: other.id, actor: other })
    await page.locator('.actor', { hasText: 'bakery' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click() // paints anew, at once
    assert.is(await page.evaluate(scrolled), 300)
    await page.locator('.actor').last().click()
    await page.locator('.actor[aria-current="true"]').waitFor()
    const { id } = actor('1'.padStart(32, '0'))
    const event = { type: 'app.connected', fields: { at: NOW } }
    const connected = actor(id, { version: 2, states: ['CONNECTED.awaiting'], status: 'CONNECTED' })
    await page.evaluate(`${scrolled} = 900`)
    send({
      ...{ type: 'svc.step', chart: 'session', id, event, edges: [], before: ['INITIALIZED'] },
      actor: connected,
    })
    await page.locator('[data-state="CONNECTED.awaiting"].now').waitFor()
    assert.not(await page.evaluate(`${scrolled} === 900`))
  }))

test('a session is found by the hash of its token, and the token itself is not sent', () =>
  serve(1, async ({ page, heard, send }) => {
    const token = 'q1w2e3r4t5y6u7i8o9p0'
    await page.getByLabel('Find a session').fill(`https://example.org/svc/session/${token}`)
    await page.getByRole('button', { name: 'Find' }).click()
    const id = hashOfToken(token)
    send({ type: 'svc.found', id, actor: actor(id, { isAwake: false }) })
    await page.getByRole('heading', { name: `session ${id.slice(0, 8)}` }).waitFor()
    assert.ok(heard.some(message => JSON.stringify(message) === JSON.stringify({ type: 'find', id })))
    assert.not.match(JSON.stringify(heard), token)
  }))

test('the theme is the one of the system until its button is pressed', () =>
  serve(0, async ({ page }) => {
    const scheme = 'getComputedStyle(document.documentElement).colorScheme'
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.is(await page.evaluate(scheme), 'light dark')
    await page.getByRole('button', { name: 'Light theme' }).click()
    assert.is(await page.evaluate(scheme), 'light')
    await page.getByRole('button', { name: 'Dark theme' }).click()
    assert.is(await page.evaluate(scheme), 'dark')
  }))

test('text of the server is text on the page, whatever it says', () =>
  serve(0, async ({ page, send }) => {
    const requestor = '<img src=x onerror=alert(1)>'
    const odd = actor('e'.repeat(32), { requestor })
    send({ type: 'svc.changed', chart: 'session', id: odd.id, actor: odd })
    await page.locator('.actor', { hasText: requestor }).waitFor()
    assert.is(await page.locator('main img').count(), 0)
  }))

test('without a token the page asks for it, and is connected with it', async () => {
  if (!browser) throw new Error('expected a browser')
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.getByRole('textbox', { name: 'Token', exact: true }).fill(TOKEN)
  await page.getByRole('button', { name: 'Watch' }).click()
  await page.getByText(CONNECTED).waitFor()
  await page.close()
})

test('with another token the page says so at once, asks for the right one, and is connected with it', async () => {
  if (!browser) throw new Error('expected a browser')
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/#another`)
  await page.getByRole('heading', { name: 'The token is another one' }).waitFor()
  const words = 'Not connected: token: expected the one that was printed at the start, got another or none'
  assert.is(await page.locator('#connection').textContent(), words)
  await page.getByRole('textbox', { name: 'Token', exact: true }).fill(TOKEN)
  await page.getByRole('button', { name: 'Watch' }).click()
  await page.getByText(CONNECTED).waitFor()
  await page.close()
})

InspectorPage.after(async () => {
  await browser?.close()
  await server.close()
})

InspectorPage.run()
