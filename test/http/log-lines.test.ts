/** The log lines about errors, callbacks and statuses: an operator finds all lines of one session, and counts errors by their type. */
import * as assert from 'uvu/assert'
import { linesOf } from '../logged-lines.ts'
import { until } from '../paths/until.ts'
import { suite } from '../suite.ts'
import {
  appHeaders,
  disclosure,
  OF_ONE_SHOP,
  OF_SHOP,
  type Parts,
  type ServerOfTest,
  sessionIn,
  withServer,
} from './harness.ts'
import { withKeyshare } from './keyshare/harness.ts'

const errorsIn = (server: Pick<ServerOfTest, 'log'>) =>
  linesOf(server, 'request').map(({ status, error }) => [status, error])

const Lines = suite('lines of the log: errors, callbacks, statuses')

Lines('only the lines of refused calls have the type of an error', () =>
  withServer({ settings: OF_ONE_SHOP }, async server => {
    const session = sessionIn(await server.post(disclosure(), OF_SHOP))
    await server.post(disclosure(), { Authorization: 'token of nobody else' })
    await server.post({ '@context': 'nothing' }, OF_SHOP)
    await server.call('GET', '/session/unknown/status')
    await server.call('GET', '/nowhere')
    await server.call('PUT', '/session')
    await server.call('GET', `${session.frontend}/status`, { headers: { Authorization: 'x' } })
    await server.call('GET', `${session.requestor}/result-jwt`)
    await server.call('GET', '/svc/revocation/a.b.c/update/1')
    assert.equal(errorsIn(server), [
      [200, undefined],
      [403, 'UNAUTHORIZED'],
      [400, 'INVALID_REQUEST'],
      [400, 'SESSION_UNKNOWN'],
      [404, 'INVALID_REQUEST'],
      [405, 'INVALID_REQUEST'],
      [403, 'UNAUTHORIZED'],
      [501, 'UNSUPPORTED'],
      [400, 'INVALID_REQUEST'],
    ])
  }),
)

Lines('the line also has the type if the error cancels the session, or the stored answer is repeated', () =>
  withServer({}, async server => {
    const session = await server.create()
    const headers = appHeaders('2.4', '2.8', 'app')
    await server.call('GET', session.app, { headers })
    const submit = () => server.call('POST', `${session.app}/proofs`, { headers, body: 'no JSON' })
    const [first, again] = [await submit(), await submit()]
    assert.equal([first.status, again.text], [400, first.text])
    assert.equal(errorsIn(server).slice(2), [
      [400, 'MALFORMED_INPUT'],
      [400, 'MALFORMED_INPUT'],
    ])
  }),
)

Lines('the line of the readiness check of a node that is not ready has the type, too', () =>
  withServer({ hasThread: () => false }, async server => {
    await server.call('GET', '/health/ready')
    assert.equal(errorsIn(server), [[503, 'INTERNAL_ERROR']])
  }),
)

Lines('the lines of a keyshare server have the types, too', () =>
  withKeyshare({}, async server => {
    await server.call('POST', '/users/verify_start', { body: {} })
    await server.call('GET', '/nowhere')
    const [refused, missing] = errorsIn(server)
    assert.ok(Number(refused?.[0]) >= 400 && typeof refused?.[1] === 'string', JSON.stringify(refused))
    assert.equal(missing, [404, 'INVALID_REQUEST'])
  }),
)

/** A `fetch` that answers every call with this status. */
const answering =
  (status: number): NonNullable<Parts['fetch']> =>
  async () =>
    new Response(null, { status })

for (const [status, message] of [
  [204, 'callback delivered'],
  [503, 'callback not delivered yet'],
] as const)
  Lines(`"${message}" has the session of the callback, like other lines about the session`, () =>
    withServer({ fetch: answering(status) }, async server => {
      const session = await server.create({}, { callbackUrl: 'http://shop.example/callback' })
      await server.call('DELETE', session.requestor)
      await until(() => linesOf(server, message).length > 0)
      const { id } = await server.rowOf(session)
      const [delivered] = linesOf(server, message)
      const [created] = linesOf(server, 'request')
      assert.equal([delivered?.session, created?.session, 'account' in (delivered ?? {})], [id, id, false])
    }),
  )

Lines('each change of the status is a line of level debug, and other steps have no line', () =>
  withServer({ settings: OF_ONE_SHOP }, async server => {
    const session = sessionIn(await server.post({ request: disclosure(), timeout: 60 }, OF_SHOP))
    const other = sessionIn(await server.post({ request: disclosure(), timeout: 90 }, OF_SHOP))
    const headers = appHeaders('2.4', '2.8', 'app')
    const options = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'none' }
    const changed = await server.call('POST', `${session.frontend}/options`, {
      headers: session.authorization,
      body: options,
    })
    assert.is(changed.status, 200, changed.text) // this commit does not change the status
    await server.call('GET', session.app, { headers })
    await server.call('DELETE', session.requestor)
    const { id } = await server.rowOf(session)
    const { id: otherId } = await server.rowOf(other)
    const DEBUG = 20
    assert.equal(
      linesOf(server, 'session status').map(line => [line.level, line.session, line.status, line.requestor]),
      [
        [DEBUG, id, 'INITIALIZED', 'shop'],
        [DEBUG, otherId, 'INITIALIZED', 'shop'],
        [DEBUG, id, 'CONNECTED', 'shop'],
        [DEBUG, id, 'CANCELLED', 'shop'],
      ],
    )
    server.clock.advance(90_000)
    assert.is((await server.call('GET', `${other.requestor}/status`)).text, '"TIMEOUT"')
    assert.equal(
      linesOf(server, 'session status')
        .map(line => [line.session, line.status])
        .slice(4),
      [[otherId, 'TIMEOUT']],
    )
    for (const secret of server.secrets) assert.not.match(server.log.join(''), secret)
  }),
)
Lines.run()
