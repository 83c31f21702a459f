/** The endpoints of each listener: a separate listener for wallet apps and frontends (client_port), and a path before all endpoints
 *  (api_prefix; spec/session-server#1, #2.6). @module */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { closeListener, listen } from '../../http/listen.ts'
import { suite } from '../suite.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { tlsPair } from '../tls.ts'
import { appHeaders, type ServerOfTest, withServer } from './harness.ts'

const Listeners = suite('listeners and paths')
const NOT_FOUND = { status: 404, error: 'INVALID_REQUEST', description: 'Not found' }

const folder = temporaryFolder()
mkdirSync(join(folder, 'session'))
for (const name of ['a.txt', 'health', 'session/index.html']) writeFileSync(join(folder, name), 'a file')

type Row = readonly [method: string, path: string]

async function rowsOf(server: ServerOfTest) {
  const { requestor, app, frontend, authorization } = await server.create()
  const requestors: Row[] = [
    ['POST', '/session'],
    ['GET', '/health'],
    ['GET', '/publickey'],
    ...['status', 'statusevents', 'result', 'result-jwt', 'getproof'].map(
      (end): Row => ['GET', `${requestor}/${end}`],
    ),
    ['POST', '/revocation'],
    ['DELETE', requestor],
  ]
  const clients: Row[] = [
    ['GET', app],
    ...['request', 'status', 'statusevents'].map((end): Row => ['GET', `${app}/${end}`]),
    ...['proofs', 'commitments'].map((end): Row => ['POST', `${app}/${end}`]),
    ...['status', 'statusevents'].map((end): Row => ['GET', `${frontend}/${end}`]),
    ...['options', 'pairingcompleted'].map((end): Row => ['POST', `${frontend}/${end}`]),
    ['POST', '/svc/session/some_name'],
    ['GET', '/svc/revocation/svc-demo.fast.badge/update/16'],
    ['GET', '/svc/revocation/svc-demo.fast.badge/events/0/0/16'],
    ['POST', '/svc/revocation/svc-demo.fast.badge/issuancerecord/0'],
    ['DELETE', app],
  ]
  return { requestors, clients, authorization }
}

Listeners('without client_port everything is on one listener', () =>
  withServer({}, async server => {
    const { requestors, clients } = await rowsOf(server)
    for (const [method, path] of [...requestors, ...clients].filter(([, path]) => !path.endsWith('events')))
      assert.is.not((await server.call(method, path)).status, 404, `${method} ${path}`)
  }),
)

Listeners(
  'client_port: no endpoint of requestors is reachable for clients, nor one of clients for requestors',
  () =>
    withServer({ isApart: true }, async server => {
      const { requestors, clients } = await rowsOf(server)
      for (const [method, path] of requestors)
        assert.is((await server.clients.call(method, path)).status, 404, `clients: ${method} ${path}`)
      for (const [method, path] of clients)
        assert.is((await server.call(method, path)).status, 404, `requestors: ${method} ${path}`)
      for (const client of [server, server.clients]) {
        const { status, headers } = await client.call('GET', '/svc/revocation/nothing')
        assert.equal([status, headers['content-type']], [404, 'application/octet-stream'])
      }
    }),
)

Listeners('client_port: a session begins on one listener, is answered on the other, and both follow it', () =>
  withServer({ isApart: true }, async server => {
    const { requestor, app, frontend, authorization } = await server.create()
    const ofRequestor = await server.open(`${requestor}/statusevents`)
    const ofFrontend = await server.clients.open(`${frontend}/statusevents`, authorization)
    for (const stream of [ofRequestor, ofFrontend]) assert.is(await stream.next(), 'event: open')
    assert.is((await server.clients.call('GET', app, { headers: appHeaders() })).status, 200)
    assert.is(await ofRequestor.next(), 'data: "CONNECTED"')
    assert.is(await ofFrontend.next(), 'data: {"status":"CONNECTED"}')
    assert.is((await server.call('DELETE', requestor)).status, 200)
    assert.is((await server.clients.call('GET', `${app}/status`)).text, '"CANCELLED"')
  }),
)

Listeners('client_port: files are served to clients, and CORS holds on both', () =>
  withServer({ isApart: true, settings: { staticFolder: { folder, prefix: '/' } } }, async server => {
    assert.is((await server.clients.call('GET', '/a.txt')).text, 'a file')
    assert.is((await server.clients.call('GET', '/health')).text, 'a file')
    assert.is((await server.clients.call('GET', '/session/')).text, 'a file')
    assert.equal((await server.call('GET', '/a.txt')).json, NOT_FOUND)
    const headers = { Origin: 'https://a.example' }
    for (const client of [server, server.clients])
      assert.is(
        (await client.call('GET', '/nothing', { headers })).headers['access-control-allow-origin'],
        '*',
      )
  }),
)

Listeners('client_tls: the listener of clients has its own certificate', () => {
  const clientTls = tlsPair()
  return withServer({ isApart: true, settings: { clientTls } }, async server => {
    assert.is((await server.call('GET', '/health')).text, 'OK')
    const { app } = await server.create()
    const port = server.clientPort
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request({ port, host: 'localhost', path: `${app}/status`, ca: clientTls.cert }, answer => {
        answer.setEncoding('utf8').on('data', resolve)
      })
      sent.on('error', reject).end()
    })
    assert.is(text, '"INITIALIZED"')
  })
})

Listeners('api_prefix: every endpoint is below it, and nowhere else', () => {
  const settings = { apiPrefix: '/api/v1', url: 'http://sessions.example/api/v1/' }
  return withServer({ settings }, async server => {
    const answer = await server.post({
      '@context': 'https://svc.example/ld/request/disclosure/v2',
      disclose: [[['svc-demo.gov.idcard.over18']]],
    })
    const { u } = Object(answer.json).sessionPtr
    assert.match(u, /^http:\/\/sessions\.example\/api\/v1\/svc\/session\/\w{20}$/)
    const { requestors, clients } = await rowsOf(server)
    for (const [method, path] of [...requestors, ...clients]) {
      assert.is((await server.call(method, path)).status, 404, path)
      const isRouted = await server.call(method === 'GET' ? 'PUT' : 'GET', `/api/v1${path}`)
      assert.is.not(isRouted.status, 404, path)
    }
    assert.is((await server.call('GET', `${new URL(u).pathname}/status`)).text, '"INITIALIZED"')
    assert.is((await server.call('GET', '/api/v1/health')).text, 'OK')
    assert.equal((await server.call('GET', '/api/v1/nothing')).json, NOT_FOUND)
  })
})

Listeners('api_prefix: a repeated call of an app gets the stored answer', () =>
  withServer({ settings: { apiPrefix: '/api' } }, async server => {
    const { app } = await server.create()
    const first = await server.call('GET', `/api${app}`, { headers: appHeaders() })
    const again = await server.call('GET', `/api${app}`, { headers: appHeaders() })
    assert.is(first.status, 200)
    assert.is(again.text, first.text)
  }),
)

Listeners('a listener has the given address, or else all addresses of the machine', async () => {
  for (const [host, expected] of [
    ['127.0.0.1', ['127.0.0.1']],
    [undefined, ['::', '0.0.0.0']],
  ] as const) {
    const server = createServer()
    const { address } = await listen(server, 0, host)
    await closeListener(server)
    assert.ok(Array.from<string>(expected).includes(address), `${host}: ${address}`)
  }
})

Listeners.run()
