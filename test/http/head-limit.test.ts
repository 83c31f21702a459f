/** The longest head of a request (`max_header_size`). A browser with many cookies is served. The error for a longer head contains the limit. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { withServer } from './harness.ts'
import { withKeyshare } from './keyshare/harness.ts'

const Head = suite('the longest head of a request')
const cookies = (bytes: number) => ({ Cookie: `a=${'x'.repeat(bytes)}`, Origin: 'https://site.example' })

Head('by default, cookies of 17 kB and of 60 kB are accepted', () =>
  withServer({}, async server => {
    const { frontend, authorization } = await server.create()
    for (const bytes of [17_000, 60_000]) {
      const headers = { ...authorization, ...cookies(bytes) }
      assert.is((await server.call('GET', `${frontend}/status`, { headers })).status, 200, String(bytes))
    }
  }),
)

Head('a longer head is answered with 431, the CORS headers and a description', () =>
  withServer({}, async server => {
    const { status, headers, json } = await server.call('GET', '/health', { headers: cookies(70_000) })
    assert.is(status, 431)
    assert.is(headers['content-type'], 'application/json; charset=UTF-8')
    assert.equal([headers['access-control-allow-origin'], headers.vary], ['*', 'Origin'])
    assert.equal(json, {
      status: 431,
      error: 'INVALID_REQUEST',
      description: 'Request headers too large',
      message: 'headers: expected at most 65536 bytes in all, got more',
    })
  }),
)

Head('the answer arrives though the client sends far more', () =>
  withServer({}, async server => {
    assert.is((await server.call('GET', '/health', { headers: cookies(2_000_000) })).status, 431)
  }),
)

Head('the setting changes the limit', () =>
  withServer({ settings: { limits: { headBytes: 2 ** 17 } } }, async server => {
    assert.is((await server.call('GET', '/health', { headers: cookies(120_000) })).status, 200)
    assert.is((await server.call('GET', '/health', { headers: cookies(135_000) })).status, 431)
  }),
)

Head('a keyshare server has the same limit', () =>
  withKeyshare({}, async server => {
    assert.is((await server.call('GET', '/health', { headers: cookies(60_000) })).status, 200)
    const { status, headers } = await server.call('GET', '/health', { headers: cookies(70_000) })
    assert.equal([status, headers['access-control-allow-origin']], [431, undefined])
  }),
)

Head.run()
