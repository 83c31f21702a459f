/** The sign-in page when answers to it get lost: it sends the calls again, and the login goes on. */
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { deferred } from '../actors/node.ts'
import {
  ask,
  codeOn,
  openedPhone,
  pairedPhone,
  share,
  signInTests,
  subAt,
  typeCode,
} from './sign-in-pages.ts'

const { test, pages, run } = signInTests('the sign-in page when answers get lost, in a browser')

/** A browser writes each lost answer to its console. */
const LOST = { complaint: /net::ERR_FAILED|status of 50[234]/ }

/** The server handles the first call of this name, and its answer does not arrive. */
async function loseAnswer(page: Page, call: string): Promise<() => number> {
  let lost = 0
  const lose: Parameters<Page['route']>[1] = async route => {
    const { status } = await fetchAs(route)
    assert.is(status, 200)
    lost += 1
    await route.abort('failed')
  }
  await page.route(`**/sign-in/*/${call}`, lose, { times: 1 })
  return () => lost
}

/** The call as the page makes it. Another way of Playwright would send no `Sec-Fetch-Site`. */
async function fetchAs(route: Parameters<Parameters<Page['route']>[1]>[0]): Promise<Response> {
  const request = route.request()
  return fetch(request.url(), {
    method: request.method(),
    headers: await request.allHeaders(),
    body: request.postData(),
  })
}

for (const call of ['session', 'pairing', 'finish'])
  test(`the answer to ${call} is lost once`, () =>
    pages().visit(
      async (page, context) => {
        const lost = await loseAnswer(page, call)
        await ask(page, pages().sites[0])
        await share(await pairedPhone(page, context))
        await subAt(page)
        assert.is(lost(), 1)
      },
      {},
      LOST,
    ))

test('a server that stops refuses the event stream, and the app calls meanwhile', () =>
  pages().visit(
    async (page, context) => {
      const isShown = deferred()
      await page.route(
        '**/sign-in/*/events*',
        async route => {
          await isShown.promise
          await route.fulfill({ status: 502 })
        },
        { times: 1 },
      )
      await ask(page, pages().sites[0])
      const phone = await openedPhone(page, context)
      const code = await codeOn(phone)
      isShown.resolve()
      await typeCode(page, code)
      await share(phone)
      await subAt(page)
    },
    {},
    LOST,
  ))

test('a reload after the lost end of a login returns to the site', () =>
  pages().visit(
    async (page, context) => {
      const isHandled = deferred()
      await page.route('**/sign-in/*/finish', async route => {
        await fetchAs(route)
        isHandled.resolve()
        await route.abort('failed')
      })
      await ask(page, pages().sites[0])
      await share(await pairedPhone(page, context))
      await isHandled.promise
      await page.reload()
      await subAt(page)
    },
    {},
    LOST,
  ))

test('a new code after the lost end of a login returns to the site', () =>
  pages().visit(
    async (page, context) => {
      await page.route('**/sign-in/*/finish', async route => {
        await fetchAs(route)
        await route.abort('failed')
      })
      await ask(page, pages().sites[0])
      await share(await pairedPhone(page, context))
      await page.getByRole('button', { name: 'Make a new code' }).click()
      await subAt(page)
    },
    {},
    { complaint: /net::ERR_FAILED|status of 403/ },
  ))

test('a page whose login has ended says so, and offers no new code', () =>
  pages().visit(
    async page => {
      await ask(page, pages().sites[0])
      pages().setForward(16 * 60_000)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('status').filter({ hasText: 'This sign-in has ended.' }).waitFor()
      assert.is(await page.getByRole('button').count(), 0)
    },
    {},
    { complaint: /status of 404/ },
  ))

run()
