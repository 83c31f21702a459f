/** The web sites' back end, over HTTP: a requestor that keeps what is its own. @module */
import QRCode from 'qrcode'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { pageOf, startTestDemo } from './start.ts'

type RemoteError = { readonly error: string }

/** One for all tests of this file; its end closes it. */
const demo = await startTestDemo()
const page = pageOf(demo)

const Site = suite('demo: the web site')

Site('the page gets the pointer and the frontend authorization, never the requestor token', async () => {
  const started = await page.start('login')
  assert.equal(Object.keys(started), ['id', 'sessionPtr', 'frontendRequest', 'link', 'request'])
  assert.equal(Object.keys(started.sessionPtr), ['u', 'svcqr'])
  const { status } = await page.call(`/session/${started.id}/status`)
  assert.is(status, 400)
})

Site('the QR code and the link hold the session pointer exactly as the session server gave it', async () => {
  const { id, sessionPtr, link } = await page.start('login')
  const pointer = JSON.stringify(sessionPtr)
  const response = await fetch(`${demo.address}demo/site/qr/${id}`)
  assert.is(response.headers.get('content-type'), 'image/svg+xml')
  const expected = await QRCode.toString(pointer, { type: 'svg', errorCorrectionLevel: 'M', margin: 3 })
  assert.is(await response.text(), expected)
  assert.is(link, `svc://qr/json/${encodeURIComponent(pointer)}`)
})

Site('a result is not told before the session has ended', async () => {
  const { id } = await page.start('login')
  const { status, body } = await page.call<RemoteError>(`/demo/site/result/${id}`)
  assert.equal([status, body.error], [403, 'UNEXPECTED_REQUEST'])
})

Site('an unknown step, a body that is no JSON and an unknown session are refused', async () => {
  for (const body of [{ step: 'passport' }, {}, null, '']) {
    const refused = await page.call<RemoteError>('/demo/site/start', 'POST', body)
    assert.equal([refused.status, refused.body.error], [400, 'MALFORMED_INPUT'])
  }
  assert.is((await page.call('/demo/site/start', 'POST')).status, 400)
  for (const path of ['result', 'qr']) assert.is((await page.call(`/demo/site/${path}/nobody`)).status, 404)
})

Site('the second session of a chain is given to the session server only', async () => {
  const { id } = await page.start('chain')
  const next = (body: object, of = id) => page.call<RemoteError>(`/demo/site/next/${of}`, 'POST', body)
  const result = { token: 'x'.repeat(20), status: 'CONNECTED', type: 'disclosing', proofStatus: 'VALID' }
  assert.equal([(await next(result)).status, (await next(result)).body.error], [403, 'UNEXPECTED_REQUEST'])
  assert.is((await next({})).status, 400)
  assert.is((await next(result, 'nobody')).status, 404)
})

Site('the same question again needs a card that was revoked', async () => {
  const { id } = await page.start('revoked')
  for (const body of [
    { step: 'revoked', after: id },
    { step: 'login', after: id },
  ])
    assert.is((await page.call('/demo/site/start', 'POST', body)).status, 403)
  assert.is((await page.call('/demo/site/start', 'POST', { step: 'revoked', after: 'nobody' })).status, 404)
  assert.is((await page.call('/demo/site/revoke/nobody', 'POST')).status, 404)
  const early = await page.call<RemoteError>(`/demo/site/revoke/${id}`, 'POST')
  assert.equal([early.status, early.body.error], [500, 'INTERNAL_ERROR']) // nothing was issued yet
})

Site.after(() => demo.close())
Site.run()
