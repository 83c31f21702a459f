/** `askFor` for express and fastify, while other calls of the same visitor change the session. */
import { createServer } from 'node:http'
import cookie from '@fastify/cookie'
import fastifySession from '@fastify/session'
import express from 'express'
import expressSession from 'express-session'
import fastify from 'fastify'
import * as assert from 'uvu/assert'
import { askFor as askForExpress } from '../../libraries/client/ask/express.ts'
import { askFor as askForFastify } from '../../libraries/client/ask/fastify.ts'
import { until } from '../patience.ts'
import { suite } from '../suite.ts'

const ID = 'a.b.c.d'
const VALID = { status: 'DONE', proofStatus: 'VALID', disclosed: [[{ id: ID, rawvalue: 'yes' }]] }
const SECRET = 'x'.repeat(32)

/** A session server whose answers to starts wait until they are released. */
function slowServer() {
  const waiting: (() => void)[] = []
  const state = { isSlow: false }
  let started = 0
  const fetch: typeof globalThis.fetch = async (_, { method } = {}) => {
    if (method === 'GET') return Response.json(VALID)
    if (state.isSlow) await new Promise<void>(resolve => waiting.push(resolve))
    return Response.json({ token: `secret-${++started}`, sessionPtr: { u: 'x' }, frontendRequest: {} })
  }
  const release = (): void => {
    for (const each of waiting.splice(0)) each()
  }
  return { fetch, state, waiting, release }
}

type Values = { isAdult?: boolean }
const questionAt = (fetch: typeof globalThis.fetch) => ({
  url: 'http://server.example',
  fetch,
  request: { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[ID]]] } as const,
  accept: (_: unknown, { session }: { readonly session?: object | null }) =>
    Reflect.set(Object(session), 'isAdult', true),
})

/** @returns the port, and the end of the site */
type Site = (fetch: typeof globalThis.fetch) => Promise<readonly [port: number, close: () => unknown]>

const SITES: Readonly<Record<string, Site>> = {
  async express(fetch) {
    const app = express()
    app.use(expressSession({ secret: SECRET, resave: false, saveUninitialized: false }))
    app.use(askForExpress(questionAt(fetch)))
    app.get(
      '/bar',
      ({ session }, response) => void response.sendStatus((session as Values).isAdult ? 200 : 403),
    )
    app.post('/logout', ({ session }, response) => {
      Object.assign(session, { isAdult: false })
      response.sendStatus(200)
    })
    app.post('/destroy', ({ session }, response) => session.destroy(() => response.sendStatus(200)))
    const server = createServer(app)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return [Object(server.address()).port, () => server.close()]
  },
  async fastify(fetch) {
    const app = fastify()
    app.register(cookie)
    app.register(fastifySession, { secret: SECRET, cookie: { secure: false } })
    app.register(askForFastify(questionAt(fetch)))
    app.get('/bar', ({ session }, reply) => reply.status((session as Values).isAdult ? 200 : 403).send())
    app.post('/logout', async ({ session }) => {
      Object.assign(session, { isAdult: false })
      return {}
    })
    app.post('/destroy', async ({ session }) => {
      await session.destroy()
      return {}
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return [Object(app.server.address()).port, () => app.close()]
  },
}

/** A visitor with one cookie, who was accepted. */
async function acceptedVisitor(site: Site) {
  const server = slowServer()
  const [port, close] = await site(server.fetch)
  let held = ''
  const call = async (method: 'GET' | 'POST', path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { cookie: held } })
    held ||= response.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { status: response.status, text: await response.text() }
  }
  const start = async (): Promise<string> => JSON.parse((await call('POST', '/start')).text).id
  assert.is((await call('GET', `/result/${await start()}`)).status, 200)
  assert.is((await call('GET', '/bar')).status, 200)
  /** Starts, and waits until the session server has the calls. */
  const startSlowly = async (count = 1) => {
    server.state.isSlow = true
    const starts = Array.from({ length: count }, () => call('POST', '/start'))
    await until(() => server.waiting.length === count, 'the calls of the session server')
    return async () => {
      server.release()
      return Promise.all(starts)
    }
  }
  return { call, start, startSlowly, close }
}

const AtOnce = suite('askFor while other calls change the session')

for (const [name, site] of Object.entries(SITES)) {
  AtOnce(`${name}: a visitor who logs out during a start stays logged out`, async () => {
    const { call, startSlowly, close } = await acceptedVisitor(site)
    const ended = await startSlowly()
    await call('POST', '/logout')
    assert.is((await ended())[0]?.status, 200)
    assert.is((await call('GET', '/bar')).status, 403)
    await close()
  })

  AtOnce(`${name}: a session that ended during a start stays ended`, async () => {
    const { call, startSlowly, close } = await acceptedVisitor(site)
    const ended = await startSlowly()
    await call('POST', '/destroy')
    assert.is((await ended())[0]?.status, 404)
    assert.is((await call('GET', '/bar')).status, 403)
    await close()
  })

  AtOnce(`${name}: parallel starts keep their ids, and an acceptance meanwhile counts`, async () => {
    const { call, start, startSlowly, close } = await acceptedVisitor(site)
    await call('POST', '/logout')
    const id = await start()
    const ended = await startSlowly(5)
    assert.is((await call('GET', `/result/${id}`)).status, 200)
    const ids = (await ended()).map(({ text }) => JSON.parse(text).id)
    assert.is((await call('GET', '/bar')).status, 200)
    for (const each of ids) assert.is((await call('GET', `/result/${each}`)).status, 200)
    await close()
  })
}

AtOnce.run()
