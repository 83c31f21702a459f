/** The web sites' back end, over HTTP: a requestor that keeps its secrets. @module */
import QRCode from 'qrcode'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { pageOf, type SiteStart, startTestDemo } from './start.ts'

type RemoteError = { readonly error: string }

/** One demo for all tests of this file; the end of the file closes it. */
const demo = await startTestDemo()
const page = pageOf(demo)

const Site = suite('demo: the web site')

Site('the page gets the pointer and the frontend authorization, never the requestor token', async () => {
  const started = await page.start('login')
  assert.equal(Object.keys(started), ['id', 'sessionPtr', 'frontendRequest', 'link', 'request', 'programs'])
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

Site('a session has the name of its web site, and no request may take another one', async () => {
  const { port } = new URL(demo.address)
  const { sessionPtr, request } = await page.start('either')
  assert.is(new URL(sessionPtr.u).host, `reading-room.localhost:${port}`)
  for (const [host, status] of [
    [`film-club.localhost:${port}`, 200],
    ['', 200],
    [`evil.localhost:${port}`, 403],
    ['film-club.localhost', 200], // ports are not compared (profile svc)
    ['shop.example', 403],
  ] as const) {
    const created = await page.call<SiteStart>('/session', 'POST', Object.assign({}, request, { host }))
    assert.is(created.status, status, host)
  }
})

Site('a result is not returned before the session has ended', async () => {
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

Site('the question of the step about revocation is asked again only after the revocation', async () => {
  const { id } = await page.start('revoked')
  for (const body of [
    { step: 'revoked', after: id },
    { step: 'login', after: id },
    { step: 'login', after: (await page.start('login')).id },
    { step: 'twice', after: id },
  ])
    assert.is((await page.call('/demo/site/start', 'POST', body)).status, 403)
  assert.is((await page.call('/demo/site/start', 'POST', { step: 'revoked', after: 'nobody' })).status, 404)
  assert.is((await page.call('/demo/site/revoke/nobody', 'POST')).status, 404)
  const early = await page.call<RemoteError>(`/demo/site/revoke/${id}`, 'POST')
  assert.equal([early.status, early.body.error], [500, 'INTERNAL_ERROR']) // nothing was issued yet
})

Site('there is no third login', async () => {
  const first = await page.start('twice')
  const after = async (id: string) =>
    page.call<SiteStart>('/demo/site/start', 'POST', { step: 'twice', after: id })
  const second = await after(first.id)
  assert.equal([second.status, (await after(second.body.id)).status], [200, 403])
})

Site.after(() => demo.close())
Site.run()
