/** Error texts about mistakes of a requestor. Each text describes only the mistake. */
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { appHeaders, disclosure, OF_ONE_SHOP, OF_SHOP, SHOP, sessionIn, withServer } from './harness.ts'
import { claimsOf, HS256, SECRET, signed } from './signed-requests.ts'

const HOST_OF_URL = { ...SHOP, hostPerms: [] }
const SIGNER = { ...HOST_OF_URL, name: 'signer', auth: { method: 'hmac', key: SECRET } } as const
const SETTINGS = { ...OF_ONE_SHOP, requestors: [HOST_OF_URL, SIGNER] }
const TEXT = { 'Content-Type': 'text/plain' }

/** @returns type and message */
function textsOf({ json }: Answer): readonly [unknown, unknown] {
  const { error, message } = Object(json)
  return [error, message]
}

const descriptionOf = ({ json }: Answer): unknown => Object(json).description

const Texts = suite('POST /session: each error describes the mistake')

Texts('a wrong token, an old JWT and a wrong host have different texts', () =>
  withServer({ settings: SETTINGS }, async server => {
    const nowSec = server.clock.now() / 1_000
    const token = await server.post(disclosure(), { Authorization: 'token of nobody else' })
    const old = await signed(
      { ...claimsOf('signer', { request: disclosure() }, nowSec), iat: nowSec - 400 },
      HS256,
    )
    const hostOfOthers = await server.post({ ...disclosure(), host: 'other.example' }, OF_SHOP)
    const session = sessionIn(
      await server.post({ ...disclosure(), host: server.settings.url.split('/')[2] }, OF_SHOP),
    )
    const headers = { ...appHeaders('2.4', '2.8', 'app'), Host: 'elsewhere.example' }
    const elsewhere = await server.call('GET', session.app, { headers })
    assert.equal([token, await server.post(old, TEXT), hostOfOthers, elsewhere].map(textsOf), [
      ['UNAUTHORIZED', 'expected the token of a requestor in Authorization, got another'],
      [
        'UNAUTHORIZED',
        'jwt too old: expected an iat at most 300 s ago, got one 400 s ago; sign each request when it is sent',
      ],
      [
        'UNAUTHORIZED',
        'requestor not allowed to use the requested host: expected that of "url", because there are no host_perms, got "other.example"',
      ],
      ['UNAUTHORIZED', 'Host mismatch: expected the host that the session request names, got another'],
    ])
    assert.equal([token, await server.post(old, TEXT), hostOfOthers, elsewhere].map(descriptionOf), [
      'The requestor token is unknown',
      'The signed request is too old',
      'The host is not that of the session, or not allowed',
      'The host is not that of the session, or not allowed',
    ])
  }),
)

Texts('profile irma describes errors by their type, as existing servers do', () =>
  withServer({ settings: { ...SETTINGS, profile: 'irma' } }, async server => {
    const answer = await server.post({}, { Authorization: 'token of nobody else' })
    assert.is(descriptionOf(answer), 'You are not authorized to issue or verify this attribute')
  }),
)

Texts('a signed request may be from a clock that is 10 s ahead; 11 s are an error with the reason', () =>
  withServer({ settings: SETTINGS }, async server => {
    const nowSec = server.clock.now() / 1_000
    const post = async (times: object) =>
      server.post(
        await signed({ ...claimsOf('signer', { request: disclosure() }, nowSec), ...times }, HS256),
        TEXT,
      )
    for (const times of [{ iat: nowSec + 5 }, { nbf: nowSec + 1 }, { iat: nowSec + 10, nbf: nowSec + 10 }])
      assert.is((await post(times)).status, 200, JSON.stringify(times))
    assert.is((await post({ exp: nowSec - 9 })).status, 200)
    assert.match((await post({ iat: nowSec + 11 })).text, /iat at most 10 s ahead, got one 11 s ahead/)
    assert.match((await post({ exp: nowSec - 10 })).text, /exp in the future, got one 10 s ago/)
  }),
)

Texts('the error for a JWT with another Content-Type contains the right one', () =>
  withServer({ settings: SETTINGS }, async server => {
    const jwt = await signed(claimsOf('signer', { request: disclosure() }, server.clock.now() / 1_000), HS256)
    assert.equal(textsOf(await server.post(jwt)), [
      'INVALID_REQUEST',
      'request could not be authenticated: expected an Authorization header, or a signed request with Content-Type text/plain, got neither',
    ])
  }),
)
Texts.run()

const STRAY = {
  validity: 60,
  timeout: 60,
  callbackUrl: 'http://shop.example/callback',
  nextSession: { url: 'http://shop.example/next' },
}

const Stray = suite('POST /session: members of an extended request in one that is not extended')

for (const [name, value] of Object.entries(STRAY))
  Stray(
    `${name} beside @context is refused in profile svc, with its name, and logged in profile irma`,
    async () => {
      await withServer({}, async server => {
        const answer = await server.post({ ...disclosure(), [name]: value })
        assert.equal(textsOf(answer), [
          'INVALID_REQUEST',
          `session request: expected an extended request for "${name}", got "@context" beside it; move the session request with its "@context" into "request"`,
        ])
        const extended = { request: disclosure(), [name]: value }
        assert.is((await server.post(extended)).status, 200)
      })
      await withServer({ settings: { profile: 'irma' } }, async server => {
        const request = { ...disclosure(), '@context': 'https://irma.app/ld/request/disclosure/v2' }
        assert.is((await server.post({ ...request, [name]: value })).status, 200)
        const [line] = server.log.map(each => JSON.parse(each)).filter(({ members }) => members !== undefined)
        assert.equal(line?.members, [name])
      })
    },
  )

Stray('all members of an extended request beside @context are logged by name in profile irma', () =>
  withServer({ settings: { profile: 'irma' } }, async server => {
    const request = { ...disclosure(), '@context': 'https://irma.app/ld/request/disclosure/v2' }
    assert.is((await server.post({ ...request, request, timeout: 60 })).status, 200)
    const [line] = server.log.map(each => JSON.parse(each)).filter(({ members }) => members !== undefined)
    assert.equal(line?.members, ['request', 'timeout'])
  }),
)

Stray('the error contains the names of all such members, "request" too; null counts as absent', () =>
  withServer({}, async server => {
    const both = await server.post({ ...disclosure(), ...STRAY, request: disclosure() })
    assert.match(
      both.text,
      '\\"request\\", \\"validity\\", \\"timeout\\", \\"callbackUrl\\", \\"nextSession\\"',
    )
    assert.is((await server.post({ ...disclosure(), callbackUrl: null })).status, 200)
  }),
)
Stray.run()
