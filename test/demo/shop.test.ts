/** The shop's back end, over HTTP: a requestor that keeps what is its own. @module */
import QRCode from 'qrcode'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { pageOf, startTestDemo } from './start.ts'

type RemoteError = { readonly error: string }

/** One for all tests of this file; its end closes it. */
const demo = await startTestDemo()
const page = pageOf(demo)

const Shop = suite('demo: the web shop')

Shop('the page gets the pointer and the frontend authorization, never the requestor token', async () => {
  const started = await page.start('age')
  assert.equal(Object.keys(started), ['id', 'sessionPtr', 'frontendRequest', 'request'])
  assert.equal(Object.keys(started.sessionPtr), ['u', 'svcqr'])
  const { status } = await page.call(`/session/${started.id}/status`)
  assert.is(status, 400)
})

Shop('the QR code holds the session pointer exactly as the session server gave it', async () => {
  const { id, sessionPtr } = await page.start('age')
  const response = await fetch(`${demo.address}demo/shop/qr/${id}`)
  assert.is(response.headers.get('content-type'), 'image/svg+xml')
  const expected = await QRCode.toString(JSON.stringify(sessionPtr), {
    type: 'svg',
    errorCorrectionLevel: 'M',
    margin: 3,
  })
  assert.is(await response.text(), expected)
})

Shop('a result is not told before the session has ended', async () => {
  const { id } = await page.start('age')
  const { status, body } = await page.call<RemoteError>(`/demo/shop/result/${id}`)
  assert.equal([status, body.error], [403, 'UNEXPECTED_REQUEST'])
})

Shop('an unknown scenario, a body that is no JSON and an unknown session are refused', async () => {
  for (const body of [{ scenario: 'passport' }, {}, null, '']) {
    const refused = await page.call<RemoteError>('/demo/shop/start', 'POST', body)
    assert.equal([refused.status, refused.body.error], [400, 'MALFORMED_INPUT'])
  }
  assert.is((await page.call('/demo/shop/start', 'POST')).status, 400)
  assert.is((await page.call('/demo/shop/result/nobody')).status, 404)
  assert.is((await page.call('/demo/shop/qr/nobody')).status, 404)
})

Shop.after(() => demo.close())
Shop.run()
