/** A web site that asks whether its visitor is over 18, with fastify and `askFor`. docs/examples.md says how to run it. @module */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import cookie from '@fastify/cookie'
import session from '@fastify/session'
import { askFor } from 'attribute-session-client/fastify'
import fastify from 'fastify'

const { PORT = '8089', SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN } = process.env
const AGE = 'svc-demo.gov.idcard.over18'
const YIVI = resolve('node_modules/@privacybydesign/yivi-frontend/dist/yivi.js')

const app = fastify()
app.register(cookie)
app.register(session, { secret: randomBytes(32).toString('hex'), cookie: { secure: 'auto' } })
app.register(
  askFor({
    url: SVC_URL,
    ...(SVC_TOKEN && { auth: { method: 'token', token: SVC_TOKEN } }),
    request: { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[AGE]]] },
    accept(values, request) {
      request.session.isAdult = values[AGE] === 'yes'
      return request.session.isAdult
    },
  }),
)
app.get('/', (_, reply) => reply.type('text/html').send(createReadStream(resolve('page.html'))))
app.get('/yivi.js', (_, reply) => reply.type('text/javascript').send(createReadStream(YIVI)))
app.get('/bar', ({ session }, reply) => reply.status(session.isAdult ? 200 : 403).send())

await app.listen({ port: Number(PORT), host: '127.0.0.1' })
console.log(`Open http://127.0.0.1:${PORT}/`)
