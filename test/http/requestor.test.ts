/** The other requestor endpoints, and DELETE by any party (spec/interface#2.8, #3, #4.1, #4.2; spec/decisions#d2, #d4, #d19). @module */
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { elapse } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { appHeaders, type SessionOfTest, withMethods, withServer } from './harness.ts'

const Requestor = suite('requestor endpoints')
const UNKNOWN = { status: 400, error: 'SESSION_UNKNOWN', description: 'Unknown or expired session' }
const MINUTE = 60_000

Requestor(
  'a token that is unknown, malformed or of another kind is an unknown session (spec/decisions#d2, #d18)',
  () =>
    withServer({}, async server => {
      const { clientToken, requestorToken, authorization } = await server.create()
      const others = [
        'z'.repeat(20),
        'short',
        'a-b',
        `${requestorToken}x`,
        `x${requestorToken}`,
        '%20',
        clientToken,
      ]
      for (const token of [...others, authorization.Authorization])
        for (const path of ['/status', '/statusevents', '/result'])
          assert.equal((await server.call('GET', `/session/${token}${path}`)).json, UNKNOWN, token + path)
      for (const token of others)
        assert.equal((await server.call('DELETE', `/session/${token}`)).json, UNKNOWN)
      for (const token of [...others.slice(0, -1), requestorToken])
        assert.equal((await server.call('GET', `/svc/session/${token}/status`)).json, UNKNOWN, token)
    }),
)

Requestor('the status is a JSON string without a newline, at any time', () =>
  withServer({}, async server => {
    const { requestor, app } = await server.create()
    const read = async (path: string) => (await server.call('GET', `${path}/status`)).text
    assert.is(await read(requestor), '"INITIALIZED"')
    await server.call('GET', app, { headers: appHeaders() })
    assert.is(await read(requestor), '"CONNECTED"')
    assert.is(await read(app), '"CONNECTED"')
    await server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
    assert.is(await read(requestor), '"DONE"')
  }),
)

Requestor('an Authorization header is ignored', () =>
  withServer({}, async server => {
    const { requestor } = await server.create()
    const headers = { Authorization: 'x' }
    assert.is((await server.call('GET', `${requestor}/result`, { headers })).status, 200)
  }),
)

const DELETERS: readonly (readonly [string, (session: SessionOfTest) => string])[] = [
  ['the requestor', ({ requestor }) => requestor],
  ['the app', ({ app }) => `${app}/`],
  ['the frontend', ({ app }) => app],
]
for (const [who, pathOf] of DELETERS)
  Requestor(
    `DELETE by ${who} cancels an open session and leaves a finished one, 200 and no body each time`,
    () =>
      withServer({}, async server => {
        const session = await server.create()
        const steps = [session.app, '']
        for (const path of steps) {
          if (path) await server.call('GET', path, { headers: appHeaders() })
          const answer = await server.call('DELETE', pathOf(session), {
            headers: { Authorization: 'anybody' },
          })
          assert.is(answer.status, 200)
          assert.is(answer.text, '')
          assert.is(answer.headers['content-length'], '0')
          assert.is(answer.headers['content-type'], undefined)
        }
        const row = await server.rowOf(session)
        assert.is(row.status, 'CANCELLED')
        const result = await server.call('GET', `${session.requestor}/result`)
        assert.is(
          result.text,
          `{"token":"${session.requestorToken}","status":"CANCELLED","type":"disclosing"}`,
        )
      }),
  )

Requestor('the result has token, status and type, and after the end of the session its outcome', () =>
  withServer({}, async server => {
    const { requestor, app, requestorToken } = await server.create()
    const read = async () => (await server.call('GET', `${requestor}/result`)).text
    assert.is(await read(), `{"token":"${requestorToken}","status":"INITIALIZED","type":"disclosing"}`)
    await server.call('GET', app, { headers: appHeaders() })
    assert.is(await read(), `{"token":"${requestorToken}","status":"CONNECTED","type":"disclosing"}`)
    await server.call('POST', `${app}/proofs`, { headers: appHeaders(), body: {} })
    const ended = `{"token":"${requestorToken}","status":"DONE","type":"disclosing","proofStatus":"VALID"}`
    assert.is(await read(), ended)
  }),
)

Requestor(
  'the error of a session is text in svc and the remote error in irma (spec/decisions#d19)',
  async () => {
    for (const [profile, expected] of [
      ['svc', 'PROTOCOL_VERSION'],
      [
        'irma',
        { status: 400, error: 'PROTOCOL_VERSION', description: 'Protocol version negotiation failed' },
      ],
    ] as const)
      await withServer({ settings: { profile, verbosity: 1 } }, async server => {
        const { requestor, app } = await server.create()
        const { minVersionHeader, maxVersionHeader } = server.settings.profile
        const headers = { [minVersionHeader]: '3.0', [maxVersionHeader]: '3.1' }
        assert.is((await server.call('GET', app, { headers })).status, 400)
        const { json } = await server.call('GET', `${requestor}/result`)
        assert.equal((json as { error: unknown }).error, expected)
        assert.is((json as { status: string }).status, 'CANCELLED')
      })
  },
)

Requestor('a session keeps the rules of the profile that it was created under', () => {
  const made = <Row extends SessionRow | null>(row: Row): Row => row && { ...row, profile: 'irma' }
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      findByClientToken: async token => made(await sessions.findByClientToken(token)),
      findByRequestorToken: async token => made(await sessions.findByRequestorToken(token)),
      call: (id, hash, decide) => sessions.call(id, hash, (row, can) => decide(made(row), can)),
    })
  return withServer({ wrapSessions }, async server => {
    const { requestor, app } = await server.create()
    const { status, json } = await server.call('GET', app, { headers: appHeaders('2.4', '2.9', null) })
    assert.is(status, 403, 'irma needs an authorization')
    const { json: result } = await server.call('GET', `${requestor}/result`)
    assert.equal((result as { error: unknown }).error, json, 'and its error is an object')
  })
})

Requestor('TIMEOUT at the deadline, readable for five more minutes, then unknown (spec/decisions#d4)', () =>
  withServer({}, async server => {
    const { requestor, app } = await server.create({}, { timeout: 60 })
    const read = async () => (await server.call('GET', `${requestor}/status`)).text
    await elapse(server.clock, MINUTE - 1)
    assert.is(await read(), '"INITIALIZED"')
    await elapse(server.clock, 1)
    assert.is(await read(), '"TIMEOUT"')
    await elapse(server.clock, 5 * MINUTE - 1)
    assert.is(await read(), '"TIMEOUT"')
    await elapse(server.clock, 1)
    for (const path of [`${requestor}/status`, `${requestor}/result`, `${app}/status`])
      assert.equal((await server.call('GET', path)).json, UNKNOWN)
    assert.equal((await server.call('DELETE', requestor)).json, UNKNOWN)
  }),
)

Requestor.run()
