/** The app's first call (spec/interface#2.9, #3, #4.3, #9; spec/decisions#d12, #d14 to #d16, #replay). @module */
import * as assert from 'uvu/assert'
import { elapse } from '../actors/node.ts'
import type { SettingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { APP, appHeaders, type ServerOfTest, type SessionOfTest, withServer } from './harness.ts'

const Connect = suite('first GET of the app')
const UNKNOWN = { status: 400, error: 'SESSION_UNKNOWN', description: 'Unknown or expired session' }
const REQUEST =
  '{"@context":"https://svc.example/ld/request/disclosure/v2","context":"AQ==","nonce":"BA==","protocolVersion":"2.8",' +
  '"devMode":true,"disclose":[[["svc-demo.gov.idcard.over18"]]]}'

function connect(server: ServerOfTest, { app }: SessionOfTest, headers = appHeaders()): Promise<Answer> {
  return server.call('GET', app, { headers })
}

async function statusOf(server: ServerOfTest, session: SessionOfTest): Promise<string> {
  return (await server.rowOf(session)).status
}

function typeOf({ json }: Answer): string | undefined {
  return (json as { error?: string } | undefined)?.error
}

async function choosePairing(
  server: ServerOfTest,
  { frontend, authorization }: SessionOfTest,
): Promise<void> {
  const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await server.call('POST', `${frontend}/options`, { headers: authorization, body })
}

Connect(
  'without pairing: the request, no options (spec/interface#2.9), and CONNECTED (spec/decisions#d12)',
  () =>
    withServer({}, async server => {
      const session = await server.create()
      const answer = await connect(server, session)
      assert.is(answer.status, 200)
      assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8')
      assert.is(
        answer.text,
        `{"@context":"https://svc.example/ld/request/client/v1","protocolVersion":"2.8","request":${REQUEST}}`,
      )
      assert.is(await statusOf(server, session), 'CONNECTED')
    }),
)

Connect('with pairing the answer has the code and no request, and the session is PAIRING', () =>
  withServer({}, async server => {
    const session = await server.create()
    await choosePairing(server, session)
    const { json } = await connect(server, session)
    const options = {
      '@context': 'https://svc.example/ld/options/v1',
      pairingMethod: 'pin',
      pairingCode: '4005',
    }
    const context = 'https://svc.example/ld/request/client/v1'
    assert.equal(json, { '@context': context, protocolVersion: '2.8', options })
    assert.is(await statusOf(server, session), 'PAIRING')
  }),
)

Connect('devMode is left out in production', () =>
  withServer({ settings: { production: true, noAuth: true } }, async server => {
    const answer = await connect(server, await server.create())
    assert.not.match(answer.text, 'devMode')
  }),
)

type Version = readonly [min: string, max: string, chosen: string]
const SVC: readonly Version[] = [
  ['2.4', '2.9', '2.8'],
  ['2.8', '2.8', '2.8'],
  ['1.0', '3.0', '2.8'],
  ['2.4', '2.10', '2.8'],
  ['"2.4"', '"2.8"', '2.8'],
  [' 2.4', '2.7 ', '2.7'],
  ['2.4', '2.5', '2.5'],
  ['2.0', '2.4', '2.4'],
]
for (const [min, max, chosen] of SVC)
  Connect(`the highest version of both sides is chosen: ${min} to ${max} gives ${chosen}`, () =>
    withServer({}, async server => {
      const { json } = await connect(server, await server.create(), appHeaders(min, max))
      assert.is((json as { protocolVersion: string }).protocolVersion, chosen)
      assert.is('request' in (json as object), chosen === '2.8')
      assert.is('content' in (json as object), chosen === '2.4')
    }),
  )

const REFUSED: readonly (readonly [
  title: string,
  settings: SettingsOfTest,
  headers: Record<string, string>,
  type: string,
])[] = [
  ['no version headers', {}, { Authorization: APP }, 'MALFORMED_INPUT'],
  ['only the minimum', {}, { 'X-Svc-Minprotocolversion': '2.4' }, 'MALFORMED_INPUT'],
  ['only the maximum', {}, { 'X-Svc-Maxprotocolversion': '2.9' }, 'MALFORMED_INPUT'],
  [
    'headers of the other profile',
    {},
    { 'X-IRMA-MinProtocolVersion': '2.4', 'X-IRMA-MaxProtocolVersion': '2.8' },
    'MALFORMED_INPUT',
  ],
  ['a malformed minimum', {}, appHeaders('two'), 'MALFORMED_INPUT'],
  ['one part', {}, appHeaders('2.4', '2'), 'MALFORMED_INPUT'],
  ['three parts', {}, appHeaders('2.4', '2.8.1'), 'MALFORMED_INPUT'],
  ['a version too high', {}, appHeaders('2.9', '2.9'), 'PROTOCOL_VERSION'],
  ['a version too low', {}, appHeaders('1.0', '2.3'), 'PROTOCOL_VERSION'],
  ['an empty range', {}, appHeaders('2.8', '2.6'), 'PROTOCOL_VERSION'],
  ['below min_protocol_version', { minProtocolVersion: '2.8' }, appHeaders('2.4', '2.7'), 'PROTOCOL_VERSION'],
]
for (const [title, settings, headers, type] of REFUSED)
  Connect(`an error while the first GET is handled cancels the session (spec/decisions#d16): ${title}`, () =>
    withServer({ settings }, async server => {
      const session = await server.create()
      const answer = await connect(server, session, headers)
      assert.is(answer.status, 400)
      assert.is(typeOf(answer), type)
      assert.is(await statusOf(server, session), 'CANCELLED')
      const again = await connect(server, session, headers)
      assert.equal([again.status, again.text], [answer.status, answer.text], 'replayed')
    }),
  )

Connect('the header that is missing is named', () =>
  withServer({}, async server => {
    const { 'X-Svc-Minprotocolversion': _, ...without } = appHeaders()
    for (const [headers, which] of [
      [without, 'minimum'],
      [{ 'X-Svc-Minprotocolversion': '2.4' }, 'maximum'],
    ] as const) {
      const { json } = await connect(server, await server.create(), headers)
      assert.is(Object(json).message, `${which} protocol version: expected a header, got none`)
    }
  }),
)

Connect('a request that the legacy form cannot express is refused below version 2.5', () =>
  withServer({}, async server => {
    const pair = ['svc-demo.gov.idcard.over18', 'svc-demo.gov.idcard.initials']
    const session = await server.create({ disclose: [[pair]] })
    assert.is(typeOf(await connect(server, session, appHeaders('2.0', '2.4'))), 'PROTOCOL_VERSION')
  }),
)

Connect('pairing raises the lowest version to 2.8', () =>
  withServer({}, async server => {
    const session = await server.create()
    await choosePairing(server, session)
    assert.is(typeOf(await connect(server, session, appHeaders('2.4', '2.7'))), 'PROTOCOL_VERSION')
    assert.is(await statusOf(server, session), 'CANCELLED')
  }),
)

Connect(
  'svc needs no authorization; irma needs one from version 2.8 on, and cancels without (spec/decisions#d15)',
  async () => {
    await withServer({}, async server => {
      const session = await server.create()
      assert.is((await connect(server, session, appHeaders('2.4', '2.9', null))).status, 200)
      assert.is((await server.rowOf(session)).clientAuthorization, null)
    })
    await withServer({ settings: { profile: 'irma', minProtocolVersion: '2.4' } }, async server => {
      const versions = (max: string) => ({
        'X-IRMA-MinProtocolVersion': '2.4',
        'X-IRMA-MaxProtocolVersion': max,
      })
      assert.is((await connect(server, await server.create(), versions('2.7'))).status, 200)
      const session = await server.create()
      const answer = await connect(server, session, { ...versions('2.8'), Authorization: '' })
      assert.is(answer.status, 403)
      assert.equal(answer.json, {
        status: 403,
        error: 'UNAUTHORIZED',
        description: 'You are not authorized to access the session',
        message: 'No authorization header provided',
      })
      assert.is(await statusOf(server, session), 'CANCELLED')
    })
  },
)

Connect('in any other status the session is unknown, and nothing changes (spec/decisions#d14)', () =>
  withServer({}, async server => {
    const session = await server.create()
    await choosePairing(server, session)
    await connect(server, session)
    const stranger = appHeaders('2.4', '2.9', 'another-app')
    assert.equal((await connect(server, session, stranger)).json, UNKNOWN)
    assert.is(await statusOf(server, session), 'PAIRING')
    await server.call('POST', `${session.frontend}/pairingcompleted`, { headers: session.authorization })
    assert.equal((await connect(server, session)).json, UNKNOWN)
    assert.is(await statusOf(server, session), 'CONNECTED')
    await server.call('DELETE', session.app)
    assert.equal((await connect(server, session)).json, UNKNOWN)
    assert.is(await statusOf(server, session), 'CANCELLED')
  }),
)

Connect('the same call gets the same bytes for 90 s; other calls are refused, and do not end this time', () =>
  withServer({}, async server => {
    const session = await server.create()
    const first = await connect(server, session)
    const others = [
      [`${session.app}/`, appHeaders()],
      [session.app, appHeaders('2.5')],
      [session.app, appHeaders('2.4', '2.8')],
      [session.app, appHeaders('2.4', '2.9', 'x')],
      [session.app, appHeaders('2.4', '2.9', null)],
      [session.app, {}],
    ] as const
    for (const [path, headers] of others)
      assert.equal(
        (await server.call('GET', path, { headers })).json,
        UNKNOWN,
        JSON.stringify([path, headers]),
      )
    await elapse(server.clock, 90_000)
    const again = await connect(server, session)
    assert.equal([again.status, again.text], [200, first.text])
    assert.is(again.headers['content-type'], first.headers['content-type'])
    await elapse(server.clock, 1)
    assert.equal((await connect(server, session)).json, UNKNOWN)
    assert.is(await statusOf(server, session), 'CONNECTED')
  }),
)

Connect('if several apps call at once, only one is connected', () =>
  withServer({}, async server => {
    const session = await server.create()
    const apps = ['a', 'b', 'c'].map(name => connect(server, session, appHeaders('2.4', '2.9', name)))
    const answers = await Promise.all(apps)
    assert.equal(answers.map(({ status }) => status).sort(), [200, 400, 400])
  }),
)

Connect('an overloaded server answers 503, nothing changes, and the answer is not stored', async () => {
  let overloaded = true
  await withServer({ isOverloaded: () => overloaded }, async server => {
    overloaded = false
    const session = await server.create()
    overloaded = true
    const answer = await connect(server, session)
    assert.is(answer.status, 503)
    assert.is(answer.headers['retry-after'], '2')
    assert.is(await statusOf(server, session), 'INITIALIZED')
    overloaded = false
    assert.is((await connect(server, session)).status, 200)
    overloaded = true
    assert.is((await connect(server, session)).status, 200, 'a replay is no new work')
  })
})

Connect('the app must use the host of the request; with another host nothing changes', () =>
  withServer({ settings: { permissions: { hostPerms: ['a.example'] } } }, async server => {
    const session = await server.create({ host: 'a.example' })
    for (const path of ['', '/', '/request', '/status', '/statusevents'])
      assert.is((await server.call('GET', session.app + path, { headers: appHeaders() })).status, 403, path)
    assert.is((await server.call('DELETE', session.app)).status, 403)
    assert.is((await server.call('POST', `${session.app}/proofs`, { body: {} })).status, 403)
    assert.is((await server.rowOf(session)).version, 1)
    assert.is((await connect(server, session, { ...appHeaders(), Host: 'a.example' })).status, 200)
    assert.is((await server.call('GET', `${session.requestor}/status`)).text, '"CONNECTED"')
  }),
)

for (const [profile, status] of [
  ['svc', 200],
  ['irma', 403],
] as const)
  Connect(`only in profile svc the app may use another port of that host: ${profile} answers ${status}`, () =>
    withServer({ settings: { profile, permissions: { hostPerms: ['a.example'] } } }, async server => {
      const session = await server.create({ host: 'a.example' })
      const answer = await server.call('GET', `${session.app}/status`, {
        headers: { Host: 'a.example:8443' },
      })
      assert.is(answer.status, status)
    }),
  )

Connect.run()
