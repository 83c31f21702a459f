/** The charts of the running tour in a browser: every state is highlighted in turn, and the Stately Inspector gets the same states. */
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import {
  CONNECTED,
  forgetEarlierLit,
  litIn,
  until,
  untilLit,
  type Visit,
  visitInspector,
} from '../http/inspector/page-in-browser.ts'
import { isMissing, PROJECT } from '../project.ts'
import { suite } from '../suite.ts'
import { hasChromium, launch, overflow } from './browser.ts'
import { lowContrast } from './contrast.ts'
import { pageOf, pinOf, startTestDemo } from './start.ts'

const InspectorPage = suite('demo: the charts in a browser')
const test = isMissing('/usr/bin/chromium', hasChromium) ? InspectorPage.skip : InspectorPage
const browser = hasChromium ? await launch() : null
const demo = hasChromium ? await startTestDemo() : null
const calls = demo && pageOf(demo)
if (calls) await calls.complete('cards', [])

async function watch(
  use: (page: Page, tour: NonNullable<typeof calls>) => Promise<void>,
  how: Visit = {},
): Promise<void> {
  if (!browser || !calls) throw new Error('expected a browser and a demo')
  const { inspector } = await calls.tour()
  await visitInspector(browser, inspector, how, page => use(page, calls))
}

/** A login with device pairing, with the calls of the tour's page. */
async function logInPaired(tour: NonNullable<typeof calls>): Promise<void> {
  const { sessionPtr, frontendRequest } = await tour.start('login')
  const frontend = `${sessionPtr.u}/frontend`
  const headers = { Authorization: frontendRequest.authorization }
  const options = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await tour.call(`${frontend}/options`, 'POST', options, headers)
  const phone = await tour.open(JSON.stringify(sessionPtr))
  await tour.phoneShows(phone, 'pairing')
  await tour.call(`${frontend}/pairingcompleted`, 'POST', undefined, headers)
  await tour.phoneShows(phone, 'consent')
  await tour.answer(phone, [0])
  await tour.phoneShows(phone, 'done')
}

test('a session with pairing: each of its states is lit in order, and the last edge is marked', () =>
  watch(async (page, tour) => {
    await tour.complete('cards', [])
    await untilLit(
      page,
      'INITIALIZED',
      'CONNECTED.awaiting',
      'CONNECTED.checking',
      'CONNECTED.signing',
      'DONE',
    )
    await forgetEarlierLit(page)
    await logInPaired(tour)
    await untilLit(page, 'INITIALIZED', 'DONE')
    assert.equal(await litIn(page), [
      'DONE', // of the session before
      'INITIALIZED',
      'PAIRING',
      'CONNECTED.awaiting',
      'CONNECTED.checking',
      'DONE',
    ])
    const marked = page.locator('.block.last')
    assert.equal(await marked.getAttribute('data-edge'), 'CONNECTED.checking server.checked DONE')
    assert.is(await page.locator('.arrow.last').getAttribute('data-arrow'), 'CONNECTED.checking DONE')
    assert.is(await page.locator('#state').innerText(), 'DONE')
  }))

test('a login: the states of its challenge and of its commitment are lit beside those that stay', () =>
  watch(async (page, tour) => {
    await pinOf(tour).setUp('12345')
    await page.getByLabel('Kind').selectOption('login')
    await page.locator('.actor', { hasText: 'login' }).click()
    assert.is(await page.locator('.actor').count(), 1, 'one kind was chosen')
    await untilLit(page, 'active.attempts.open')
    await forgetEarlierLit(page)
    await pinOf(tour).logIn('12345')
    const lit = await untilLit(
      page,
      'active.challenge.pending',
      'active.challenge.none',
      'active.commitment.pendingV2',
      'active.commitment.none',
    )
    for (const states of lit) {
      assert.is(states.split(' ').length, 3, states)
      assert.match(states, 'active.attempts.open')
    }
  }))

test('a later viewer sees the present actors, finds a session by its token, and sees only the steps of that session', () =>
  watch(async (page, tour) => {
    await page.getByLabel('Follow new sessions').uncheck()
    const { sessionPtr } = await tour.start('login')
    const other = await tour.start('login')
    await tour.call(other.sessionPtr.u, 'DELETE')
    await page.getByLabel('Find a session').fill(JSON.stringify(sessionPtr))
    await page.getByRole('button', { name: 'Find' }).click()
    await untilLit(page, 'INITIALIZED')
    await page.getByLabel('Only the chosen actor').check()
    await tour.call(sessionPtr.u, 'DELETE')
    await untilLit(page, 'INITIALIZED', 'CANCELLED')
    const rows = page.locator('.entry:visible')
    await rows.first().waitFor()
    assert.equal(await rows.locator('strong').allInnerTexts(), ['cancelled'])
  }))

test('an unknown token finds no session, and the page says so', () =>
  watch(async page => {
    await page.getByLabel('Find a session').fill('no-such-token')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText('There is no such actor').waitFor()
  }))

test('a path is kept and replayed step by step, also for a viewer who comes after the end of its session', () =>
  watch(async (page, tour) => {
    const asked = await tour.ask('login')
    await untilLit(page, 'CONNECTED.awaiting')
    await page.getByRole('button', { name: 'Keep its path' }).click()
    await page.getByText('0 steps are kept').waitFor()
    await tour.answer(asked.phone, [0])
    await page.getByText('2 steps are kept').waitFor()
    await page.reload()
    await page.getByText(CONNECTED).waitFor()
    await page.locator('.actor', { hasText: 'kept' }).click()
    await page.getByRole('button', { name: 'Play' }).click()
    await untilLit(page, 'CONNECTED.awaiting', 'CONNECTED.checking', 'DONE')
    await page.getByRole('button', { name: 'Step back' }).click()
    await page.getByText('Step 1 of 2').waitFor()
    assert.is(await page.locator('#state').innerText(), 'In the path: CONNECTED · checking')
    await page.getByRole('button', { name: 'Now' }).click()
    assert.is(await page.locator('#state').innerText(), 'DONE')
  }))

/** Our own window in place of the hosted inspector: it reads messages with the receiver of the library. */
async function receiverPage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createBrowserReceiver } from '@statelyai/inspect'
        window.received = []
        createBrowserReceiver().subscribe(event => window.received.push(event))`,
      resolveDir: PROJECT,
    },
    bundle: true,
    write: false,
    platform: 'browser',
    logLevel: 'silent',
    conditions: ['browser'],
  })
  return `<!doctype html><title>Ours</title><script>${outputFiles?.[0]?.text.replaceAll('</script', '<\\/script')}</script>`
}

test('the Stately Inspector is opened in a window of its own, and its receiver accepts every message', async () => {
  const body = await receiverPage()
  await watch(
    async (page, tour) => {
      const feeds: string[] = []
      page.on('websocket', socket => feeds.push(new URL(socket.url()).pathname))
      await page
        .context()
        .route('https://stately.ai/**', route => route.fulfill({ body, contentType: 'text/html' }))
      await page.getByRole('button', { name: 'Open in Stately Inspector' }).click()
      await page.getByText('it needs the Internet').waitFor()
      const opened = page.waitForEvent('popup')
      await page.getByRole('button', { name: 'Open stately.ai' }).click()
      const other = await opened
      await until(other, `window.received?.some(({ type }) => type === '@xstate.actor')`)
      await logInPaired(tour)
      await until(other, `window.received.some(({ snapshot }) => snapshot?.value === 'DONE')`)
      await until(other, 'new Set(window.received.map(({ type }) => type)).size === 3') // they arrive one after the other
      const types: string[] = await other.evaluate('[...new Set(window.received.map(({ type }) => type))]')
      assert.equal(types.toSorted(), ['@xstate.actor', '@xstate.event', '@xstate.snapshot'])
      // another window of that site, and that window at another site, send the same greeting
      await page
        .context()
        .route('https://elsewhere.example/**', route => route.fulfill({ body, contentType: 'text/html' }))
      await page.evaluate(`void window.open('https://stately.ai/other')`)
      await other.evaluate(`void (location.href = 'https://elsewhere.example/')`)
      await other.waitForURL('https://elsewhere.example/')
      await logInPaired(tour)
      assert.equal(feeds, ['/stately'], 'only the opened window, at its own site, begins a feed')
      assert.is(await other.evaluate('window.received.length'), 0)
    },
    { mayAsk: ['stately.ai', 'elsewhere.example'] },
  )
})

for (const [colorScheme, width] of [
  ['light', 1_280],
  ['dark', 360],
] as const)
  test(`nothing is cut off and every text can be read: ${width} px, ${colorScheme}`, () =>
    watch(
      async (page, tour) => {
        await logInPaired(tour)
        await untilLit(page, 'DONE')
        await page.getByRole('button', { name: 'Keep its path' }).click()
        await page.getByText('0 steps are kept').waitFor()
        assert.is(await overflow(page), 0)
        assert.equal(await lowContrast(page), [])
      },
      { context: { colorScheme, viewport: { width, height: 800 } } },
    ))

test('the button of the tour opens the charts', async () => {
  if (!browser || !demo) throw new Error('expected a browser and a demo')
  const context = await browser.newContext()
  const tour = await context.newPage()
  await tour.goto(demo.address)
  const opened = context.waitForEvent('page')
  await tour.getByRole('button', { name: 'Watch the charts' }).click()
  const page = await opened
  await page.getByText(CONNECTED).waitFor()
  await context.close()
})

test('with the keyboard alone: an actor is reached, chosen and left for the next one', () =>
  watch(async (page, tour) => {
    await page.getByLabel('Follow new sessions').uncheck()
    await tour.start('login')
    await tour.start('login')
    await page.locator('.actor', { hasText: 'INITIALIZED' }).nth(1).waitFor()
    await page.locator('.actor').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const chosen = page.locator('.actor[aria-current="true"]')
    await chosen.waitFor()
    assert.is(
      await chosen.getAttribute('data-id'),
      await page.locator('.actor').nth(1).getAttribute('data-id'),
    )
    await untilLit(page, 'INITIALIZED')
  }))

InspectorPage.after(async () => {
  await browser?.close()
  await demo?.close()
})

InspectorPage.run()
