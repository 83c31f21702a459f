/** A web site that asks whether its visitor is over 18, with hono and `askFor`. docs/examples.md says how to run it. @module */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { serve } from '@hono/node-server'
import { askFor } from 'attribute-session-client/hono'
import { Hono } from 'hono'
import { MemoryStore, sessionMiddleware } from 'hono-sessions'

const { PORT = '8089', SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN } = process.env
const AGE = 'svc-demo.gov.idcard.over18'
const YIVI = 'node_modules/@privacybydesign/yivi-frontend/dist/yivi.js'

const app = new Hono()
app.get('/', async c => c.html(await readFile('page.html', 'utf8')))
app.get('/yivi.js', async c =>
  c.body(await readFile(YIVI), { headers: { 'Content-Type': 'text/javascript' } }),
)
const encryptionKey = randomBytes(32).toString('hex')
const cookieOptions = { path: '/', httpOnly: true, sameSite: 'Lax' }
app.use(sessionMiddleware({ store: new MemoryStore(), encryptionKey, cookieOptions }))
app.use(
  askFor({
    url: SVC_URL,
    ...(SVC_TOKEN && { auth: { method: 'token', token: SVC_TOKEN } }),
    request: { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[AGE]]] },
    accept(values, c) {
      c.get('session').set('isAdult', values[AGE] === 'yes')
      return c.get('session').get('isAdult')
    },
  }),
)
app.get('/bar', c => c.body(null, c.get('session').get('isAdult') ? 200 : 403))

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () =>
  console.log(`Open http://127.0.0.1:${PORT}/`),
)
