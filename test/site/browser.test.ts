/** The documentation site, opened by a browser from a folder: it loads only files, the search works, and a narrow window shows all of it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { packageVersion } from '../../server/version.ts'
import { hasChromium, launch, overflow } from '../demo/browser.ts'
import { withServer } from '../http/harness.ts'
import { isMissing } from '../project.ts'
import { suite } from '../suite.ts'
import { newSite } from './site.ts'

const Opened = suite('the documentation site, opened from a folder')
const browser: Browser | null = isMissing('/usr/bin/chromium', hasChromium) ? null : await launch()
const test = browser === null ? Opened.skip : Opened
const site = await newSite()
Opened.after(() => browser?.close())

/** Opens a page. Fails on an error, or on a request for anything but files. */
async function open(
  name: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  if (browser === null) throw new Error('expected a browser')
  const context = await browser.newContext(options)
  const complaints: string[] = []
  context.on('request', request => request.url().startsWith('file:') || complaints.push(request.url()))
  const page = await context.newPage()
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(String(error)))
  try {
    await page.goto(site.addressOf(name))
    await use(page)
    assert.equal(complaints, [], name)
  } finally {
    await context.close()
  }
}

const NARROW = { viewport: { width: 360, height: 740 } }

test('every page loads only files, and fits in a window of 360 px', async () => {
  await open('index.html', NARROW, async page => {
    for (const name of site.pages.keys()) {
      await page.goto(site.addressOf(name))
      assert.is(await overflow(page), 0, name)
      assert.is(await page.locator('main h1').count(), 1, name)
    }
  })
})

const found = (page: Page, words: string) => page.locator('#found a', { hasText: words })

test('the search finds a page by one of its words, and by the name of an option', async () => {
  await open('docs/tour.html', {}, async page => {
    const field = page.getByRole('searchbox', { name: 'Search' })
    await field.fill('max_queue_time')
    await found(page, 'Options of').first().waitFor()
    await field.fill('rolling restart')
    await found(page, 'rolling restart').first().click()
    await page.getByRole('heading', { name: 'Stop and rolling restart' }).waitFor()
    assert.match(page.url(), /docs\/operating\.html#stop-and-rolling-restart(:~:text=rolling)?$/)
  })
})

test('a guide comes before the references, and the found words are marked', async () => {
  await open('docs/tour.html', {}, async page => {
    const field = page.getByRole('searchbox', { name: 'Search' })
    for (const word of ['callbackUrl', 'pairing', 'keyshare']) {
      await field.fill(word)
      await page.locator('#found mark').first().waitFor()
      const pages = await page.locator('#found a').evaluateAll(links => links.map(link => link.href))
      for (const first of pages.slice(0, 3))
        assert.not.match(first, /\/(spec|api|charts|examples)\/|options\.html|CHANGELOG/, word)
      const marks = await page.locator('#found mark').allTextContents()
      for (const mark of marks) assert.ok(mark.toLowerCase().startsWith(word.toLowerCase()), mark)
    }
  })
})

test('the start page has the version, a picture and three doors', async () => {
  await open('index.html', {}, async page => {
    await page.getByText(`Version ${packageVersion()}`).waitFor()
    await page.getByRole('img', { name: /^The tour in a browser/ }).waitFor()
    const width =
      'document.querySelector("main img").decode().then(() => document.querySelector("main img").naturalWidth)'
    assert.ok(Number(await page.evaluate(width)) > 0)
    for (const [door, title] of [
      ['Ask', 'Ask your first question'],
      ['Operate', 'Guide for operators'],
      ['Sign in', 'Sign in with the wallet'],
    ] as const) {
      await page.goto(site.addressOf('index.html'))
      await page.locator('.doors').getByRole('link', { name: door }).click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
  })
})

test('an endpoint can be tried at a server, and the returned token is filled into the next form', async () => {
  if (browser === null) throw new Error('expected a browser')
  await withServer({}, async server => {
    const context = await browser.newContext(NARROW)
    try {
      const page = await context.newPage()
      await page.goto(site.addressOf('api/session-server.html'))
      await page.getByLabel('Server').fill(`http://127.0.0.1:${server.port}`)
      const endpoint = (id: string) => page.locator(`details#${id}`)
      await endpoint('startSession').locator('summary').click()
      await endpoint('startSession').getByRole('button', { name: 'Try it' }).click()
      await endpoint('startSession')
        .getByText(/^20[01]\n/)
        .waitFor()
      await endpoint('sessionStatus').locator('summary').click()
      await endpoint('sessionStatus').getByRole('button', { name: 'Try it' }).click()
      await endpoint('sessionStatus').locator('pre[role=status]', { hasText: '"INITIALIZED"' }).waitFor()
      assert.is(await overflow(page), 0)
      await page.getByLabel('Server').fill('http://127.0.0.1:1')
      await endpoint('sessionStatus').getByRole('button', { name: 'Try it' }).click()
      await endpoint('sessionStatus').getByText('No answer from http://127.0.0.1:1').waitFor()
    } finally {
      await context.close()
    }
  })
})

test('a chart of a page can be zoomed and fitted, in a narrow window too', async () => {
  await open('docs/charts/session.html', NARROW, async page => {
    const width = async (): Promise<number> =>
      (await page.locator('.drawing > img').boundingBox())?.width ?? 0
    await page.locator('.view-map img').waitFor()
    const { left, top } = JSON.parse(
      String(
        await page.evaluate(
          `JSON.stringify({ left: document.querySelector('.drawing').scrollLeft, top: document.querySelector('.drawing').scrollTop })`,
        ),
      ),
    )
    assert.ok(left > NARROW.viewport.width && top === 0, 'the initial state is in sight at first')
    const before = await width()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    assert.ok((await width()) > before)
    await page.getByRole('button', { name: 'Show the whole chart' }).click()
    await page.locator('.view-map').waitFor({ state: 'hidden' })
    assert.ok((await width()) < NARROW.viewport.width)
    assert.is(await overflow(page), 0)
  })
})

test('the search finds only sections that contain all words', async () => {
  await open('index.html', {}, async page => {
    const field = page.getByRole('searchbox', { name: 'Search' })
    await field.fill('rolling')
    await page.getByText(/^\d+ sections?/).waitFor()
    await field.fill('rolling qqxzqq')
    await page.getByText('0 sections').waitFor()
  })
})

test('unknown words find nothing, and Escape empties the search', async () => {
  await open('index.html', {}, async page => {
    const field = page.getByRole('searchbox', { name: 'Search' })
    await field.fill('qqxzqq')
    await page.getByText('0 sections').waitFor()
    await field.press('Escape')
    assert.is(await page.locator('#found *').count(), 0)
  })
})

test('without scripts there is no search, and the links to the other pages work', async () => {
  await open('docs/tour.html', { javaScriptEnabled: false, ...NARROW }, async page => {
    assert.is(await page.getByRole('searchbox').count(), 0)
    await page.getByRole('link', { name: 'All pages' }).click()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Performance' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.match(page.url(), /docs\/performance\.html$/)
  })
})

test('the first Tab key leads to the link "Skip to the text", and code can be copied', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  await open('README.html', { permissions }, async page => {
    await page.keyboard.press('Tab')
    assert.is(await page.locator(':focus').textContent(), 'Skip to the text')
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const code = await page.locator('pre > code').first().textContent()
    assert.is(await page.evaluate('navigator.clipboard.readText()'), code)
  })
})

/** The largest number of px by which the button covers the first line of a code, scrolled to its end. */
const MOST_COVERED = `Math.max(...[...document.querySelectorAll('.code')].map(frame => {
  const line = document.createRange()
  const text = document.createTreeWalker(frame.querySelector('code'), NodeFilter.SHOW_TEXT).nextNode()
  const end = text.data.search(/\\n|$/)
  line.setStart(text, Math.max(0, end - 1))
  line.setEnd(text, end)
  frame.querySelector('pre').scrollLeft = 1e6
  const [its, button] = [line, frame.querySelector('button')].map(part => part.getBoundingClientRect())
  return Math.min(its.right - button.left, button.bottom - its.top)
}))`

test('the button that copies code can be scrolled off the end of the first line', async () => {
  for (const width of [360, 1200])
    await open('docs/operator-guide.html', { viewport: { width, height: 740 } }, async page => {
      await page.getByRole('button', { name: 'Copy' }).first().waitFor()
      const covered = Number(await page.evaluate(MOST_COVERED))
      assert.ok(covered <= 0, `${width} px: ${covered} px are covered`)
    })
})
Opened.run()
