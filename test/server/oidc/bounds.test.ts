/** Bounds on authorization requests, by the address of the browser and in all (spec/decisions#logins-per-caller). */
import * as assert from 'uvu/assert'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { suite } from '../../suite.ts'
import { figuresOf } from './figures.ts'
import { begun, browserOf, pageOf, SECRETS, siteOf } from './login.ts'
import { ISSUER, type OidcOfTest, startProvider } from './node.ts'

const Bounds = suite('OpenID provider: bounds on logins')

type Values = Readonly<Record<string, number | readonly string[]>>

async function bounded(
  values: Values,
  use: (provider: OidcOfTest, value: (series: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const { metrics, value } = figuresOf()
  const provider = await startProvider(values, { metrics })
  await use(provider, value).finally(() => provider.close())
}

/** @returns the status of so many authorization requests, each of another browser */
async function statuses(
  provider: OidcOfTest,
  count: number,
  { from = '192.0.2.1', path = '/authorize' } = {},
): Promise<number[]> {
  const { url } = await begun(await siteOf(provider, 'shop'))
  url.pathname = path
  const found: number[] = []
  for (let i = 0; i < count; i++)
    found.push((await browserOf(provider).get(url.href, { 'X-Forwarded-For': from })).status)
  return found
}

async function pushes({ reach }: OidcOfTest, count: number): Promise<Response[]> {
  const basic = Buffer.from(`shop:${encodeURIComponent(SECRETS.shop).replaceAll('%20', '+')}`)
  const headers = { Authorization: `Basic ${basic.toString('base64')}` }
  const answers: Response[] = []
  for (let i = 0; i < count; i++)
    answers.push(await reach(`${ISSUER}/par`, { method: 'POST', body: new URLSearchParams(), headers }))
  return answers
}

Bounds('above the bound of one caller, a browser gets a plain page with 429 and the time to wait', () =>
  bounded({ logins_per_caller: 3 }, async (provider, value) => {
    assert.equal(await statuses(provider, 3), [303, 303, 303])
    const { url } = await begun(await siteOf(provider, 'shop'))
    const german = { 'X-Forwarded-For': '192.0.2.1', 'Accept-Language': 'de' }
    const { status, headers, text, location } = await browserOf(provider).get(url.href, german)
    assert.equal([status, location], [429, null])
    assert.match(headers.get('Content-Type') ?? '', /^text\/html/)
    assert.ok(Number(headers.get('Retry-After')) > 0)
    assert.match(text, /<html lang="de">[\s\S]*Zu viele Anmeldungen/)
    assert.match(headers.get('Content-Security-Policy') ?? '', /frame-ancestors 'none'/)
    assert.is(await value('svc_oidc_requests_bounded_total{request="authorize",bound="caller"}'), 1)
    assert.is(await value('svc_oidc_logins_begun_total{client="shop"}'), 3)
  }),
)

Bounds('each address has its own bound; X-Forwarded-For of an untrusted caller is ignored', async () => {
  await bounded({ logins_per_caller: 1 }, async provider => {
    for (const from of ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
      assert.equal(await statuses(provider, 2, { from }), [303, 429])
    assert.equal(await statuses(provider, 1, { from: '2001:db8::2' }), [429], 'one network')
  })
  await bounded({ logins_per_caller: 1, trusted_proxies: ['10.0.0.0/8'] }, async provider => {
    assert.equal(await statuses(provider, 1, { from: '192.0.2.1' }), [303])
    assert.equal(await statuses(provider, 1, { from: '192.0.2.2' }), [429])
  })
})

Bounds(
  'the bound counts again after a minute; a slash at the end of the path does not evade it',
  async () => {
    const clock = createSimulatedClock(Date.now())
    const provider = await startProvider({ logins_per_caller: 1 }, { clock })
    assert.equal(await statuses(provider, 1), [303])
    assert.equal(await statuses(provider, 1, { path: '/authorize/' }), [429])
    clock.advance(60_000)
    assert.equal(await statuses(provider, 2), [303, 429])
    await provider.close()
  },
)

Bounds('all callers together have a bound: 503', () =>
  bounded({ logins_per_minute: 2 }, async (provider, value) => {
    for (const [from, status] of [
      ['192.0.2.1', 303],
      ['192.0.2.2', 303],
      ['192.0.2.3', 503],
    ] as const)
      assert.equal(await statuses(provider, 1, { from }), [status])
    assert.is(await value('svc_oidc_requests_bounded_total{request="authorize",bound="all"}'), 1)
  }),
)

Bounds('a site that pushes too many requests gets the error of the protocol', () =>
  bounded({ pushed_per_caller: 2, logins_per_caller: 1 }, async (provider, value) => {
    const answers = await pushes(provider, 3)
    assert.equal(
      answers.map(({ status }) => status),
      [400, 400, 429],
    )
    assert.equal(await answers[2]?.json(), {
      error: 'temporarily_unavailable',
      error_description:
        'expected at most 2 pushed requests a minute from one network address, got more; try again later',
    })
    assert.is(await value('svc_oidc_requests_bounded_total{request="par",bound="caller"}'), 1)
    assert.equal(
      await statuses(provider, 1, { from: '127.0.0.1' }),
      [303],
      'logins have a bound of their own',
    )
  }),
)

Bounds('later calls of a login are not counted', () =>
  bounded({ logins_per_caller: 1 }, async provider => {
    const browser = browserOf(provider)
    const { at, page } = await pageOf(browser, (await begun(await siteOf(provider, 'shop'))).url)
    assert.is(page.status, 200)
    const { text } = await browser.post(`${at}/cancel`, {})
    const { location } = await browser.follow(JSON.parse(text).location)
    assert.match(location ?? '', /error=access_denied/)
  }),
)

Bounds.run()
