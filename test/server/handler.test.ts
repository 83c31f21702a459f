/** A session server mounted in the server of another program: node:http, Koa and express. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import Koa from 'koa'
import * as assert from 'uvu/assert'
import { createRequestor } from '../../libraries/client.ts'
import { createSessionHandler, type EmbeddedServer } from '../../server/embedded.ts'
import { DEMO_SCHEMES } from '../project.ts'
import { suite } from '../suite.ts'

const REQUEST = {
  '@context': 'https://svc.example/ld/request/disclosure/v2',
  disclose: [[['svc-demo.gov.idcard.over18']]],
} as const
const OPTIONS = { schemesPath: DEMO_SCHEMES, store: 'memory', quiet: true, workers: 1 }

function listening(listener: RequestListener): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(listener)
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo // it listens to a port
      resolve({ server, url: `http://127.0.0.1:${port}` })
    })
  })
}

const PROGRAMS: Readonly<Record<string, (embedded: EmbeddedServer) => RequestListener>> = {
  'node:http':
    ({ handle }) =>
    (request, answer) =>
      request.url === '/own' ? answer.end('own') : handle(request, answer),
  Koa: ({ handle }) => {
    const app = new Koa()
    app.use(async (ctx, next) => {
      if (!ctx.path.startsWith('/api/')) return next()
      ctx.respond = false
      handle(ctx.req, ctx.res)
    })
    app.use(ctx => {
      ctx.body = 'own'
    })
    return app.callback()
  },
  express({ handle }) {
    const app = express()
    app.use((request, answer, next) => {
      if (request.path.startsWith('/api/')) handle(request, answer)
      else next()
    })
    app.get('/own', (_request, answer) => void answer.send('own'))
    return app
  },
}

const Handler = suite('a session server as a handler')

for (const [name, program] of Object.entries(PROGRAMS))
  Handler(`${name}: its own paths and those of the session server, event streams too`, async () => {
    const embedded = await createSessionHandler({
      ...OPTIONS,
      apiPrefix: '/api',
      url: 'http://localhost/api/',
    })
    const { server, url } = await listening(program(embedded))
    try {
      assert.is(await (await fetch(`${url}/own`)).text(), 'own')
      const requestor = createRequestor({ url: `${url}/api` })
      const { token, sessionPtr } = await requestor.start(REQUEST)
      assert.match(sessionPtr.u, /^http:\/\/localhost\/api\/svc\/session\//)
      const told: string[] = []
      const over = requestor.wait(token, {
        onChange: status => {
          told.push(status)
          if (status === 'INITIALIZED') requestor.cancel(token)
        },
      })
      assert.is(await over, 'CANCELLED')
      assert.equal(told, ['INITIALIZED', 'CANCELLED'])
      assert.is((await fetch(`${url}/api/nothing`)).status, 404)
    } finally {
      await embedded.close()
      server.closeAllConnections()
      server.close()
    }
  })

Handler.run()
