/** POST {prefix}/session/{name} (spec/session-server#16, spec/session-server#q3): wallet apps start sessions that are configured by name. @module */
import * as assert from 'uvu/assert'
import type { ProfileName } from '../../protocol/profiles.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { type ExtendedRequest, parseSessionRequest } from '../../protocol/request.ts'
import { suite } from '../suite.ts'
import { AUTHENTICATED, appHeaders, disclosure, OVER18, withServer } from './harness.ts'

const Static = suite('static sessions')
const callbackUrl = 'https://site.example/results'

function configured(
  members: object = {},
  extended: object = {},
  profile: ProfileName = 'svc',
): ReadonlyMap<string, ExtendedRequest> {
  const { contextBase } = PROFILES[profile]
  const request = { ...disclosure(contextBase), ...members }
  return new Map([['over18', parseSessionRequest({ callbackUrl, ...extended, request }, PROFILES[profile])]])
}

for (const profile of ['svc', 'irma'] satisfies ProfileName[])
  Static(`a session begins, and the answer is only its pointer (${profile})`, () => {
    const settings = { profile, staticSessions: configured({}, {}, profile), allowUnsignedCallbacks: true }
    return withServer({ settings }, async server => {
      const { prefix, pointerField } = PROFILES[profile]
      const { status, json, headers } = await server.call('POST', `${prefix}/session/over18`, { body: {} })
      assert.is(status, 200)
      assert.is(headers['content-type'], 'application/json; charset=UTF-8')
      const { u, ...rest } = Object(json)
      assert.equal(rest, { [pointerField]: 'disclosing' })
      const [, token = ''] =
        new RegExp(`^http://sessions.example:8088${prefix}/session/(\\w{20})$`).exec(u) ?? []
      assert.is((await server.call('GET', `${prefix}/session/${token}/status`)).text, '"INITIALIZED"')
      const row = await server.sessions.findByClientToken(token)
      assert.is(row?.requestor, '')
      assert.is(row?.request.value.callbackUrl, callbackUrl)
    })
  })

Static('the body is not read, and may be any text', () =>
  withServer({ settings: { staticSessions: configured() } }, async server => {
    for (const body of [undefined, '', '{}', '{"request":{}}', 'no JSON', Buffer.alloc(11 * 2 ** 20)])
      assert.is((await server.call('POST', '/svc/session/over18', { body })).status, 200)
  }),
)

Static(
  'each session has its own copy of the request: nonce, tokens and return URL (spec/session-server#q3)',
  () => {
    const staticSessions = configured({
      clientReturnUrl: 'https://site.example/?a=b',
      augmentReturnUrl: true,
    })
    return withServer({ settings: { staticSessions, augmentClientReturnUrl: true } }, async server => {
      const requests = []
      for (const _ of [1, 2, 3]) {
        const { json } = await server.call('POST', '/svc/session/over18', { body: {} })
        const { pathname } = new URL(Object(json).u)
        const { json: told } = await server.call('GET', pathname, { headers: appHeaders() })
        requests.push(Object(told).request)
      }
      assert.is(new Set(requests.map(({ nonce }) => nonce)).size, 3)
      const urls = requests.map(({ clientReturnUrl }) => String(clientReturnUrl))
      assert.is(new Set(urls).size, 3)
      for (const url of urls) assert.match(url, /^https:\/\/site\.example\/\?a=b&token=token\d{15}$/)
    })
  },
)

Static('no permission is needed, even if requestors need one', () =>
  withServer({ settings: { ...AUTHENTICATED, staticSessions: configured() } }, async server => {
    assert.is((await server.call('POST', '/svc/session/over18', { body: {} })).status, 200)
    const { status } = await server.post({ callbackUrl, request: disclosure() })
    assert.is(status, 400)
  }),
)

Static('the host of the request is in the pointer, and the app must use it', () =>
  withServer({ settings: { staticSessions: configured({ host: 'shop.example' }) } }, async server => {
    const { u } = Object((await server.call('POST', '/svc/session/over18', { body: {} })).json)
    assert.match(u, /^http:\/\/shop\.example\/svc\/session\//)
    const { pathname } = new URL(u)
    assert.is((await server.call('GET', `${pathname}/status`)).status, 403)
    const headers = { Host: 'shop.example' }
    assert.is((await server.call('GET', `${pathname}/status`, { headers })).status, 200)
  }),
)

Static('an unknown name is refused, and so is the token of a session', () =>
  withServer({ settings: { staticSessions: configured() } }, async server => {
    const { clientToken } = await server.create()
    for (const name of ['nothing', 'OVER18', 'constructor', '__proto__', '%6Fver18x', clientToken]) {
      const { status, json } = await server.call('POST', `/svc/session/${name}`, { body: {} })
      assert.is(status, 400, name)
      assert.equal([Object(json).error, Object(json).message], ['INVALID_REQUEST', 'unknown static session'])
    }
    assert.is((await server.call('GET', '/svc/session/over18')).status, 400)
    assert.is((await server.call('POST', '/svc/session/over18/')).status, 400)
  }),
)

Static('a request that does not start is 400 MALFORMED_INPUT', () =>
  withServer(
    { settings: { staticSessions: configured({ disclose: [[['svc-demo.gov.none.x']]] }) } },
    async server => {
      const { status, json } = await server.call('POST', '/svc/session/over18', { body: {} })
      assert.is(status, 400)
      assert.is(Object(json).error, 'MALFORMED_INPUT')
      assert.match(Object(json).message, /^Unknown identifiers: svc-demo\.gov\.none/)
    },
  ),
)

Static('while too many proofs wait the answer is 503, as for requestors', () =>
  withServer({ isOverloaded: () => true, settings: { staticSessions: configured() } }, async server => {
    const { status, headers } = await server.call('POST', '/svc/session/over18', { body: {} })
    assert.equal([status, headers['retry-after']], [503, '2'])
  }),
)

Static('with client_port, a static session starts only at the listener of clients', () =>
  withServer({ isApart: true, settings: { staticSessions: configured() } }, async server => {
    assert.is((await server.clients.call('POST', '/svc/session/over18', { body: {} })).status, 200)
    assert.is((await server.call('POST', '/svc/session/over18', { body: {} })).status, 404)
  }),
)

Static('the log contains neither the pointer nor the request', () =>
  withServer({ settings: { staticSessions: configured() } }, async server => {
    await server.call('POST', '/svc/session/over18', { body: {} })
    const text = server.log.join('')
    for (const secret of [...server.secrets, callbackUrl, OVER18]) assert.not.match(text, secret)
  }),
)

Static.run()
