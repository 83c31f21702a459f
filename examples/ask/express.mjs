/** A web site that asks whether its visitor is over 18, with express and `askFor`. docs/examples.md says how to run it. @module */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { askFor } from 'attribute-session-client/express'
import express from 'express'
import session from 'express-session'

const { PORT = '8089', SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN } = process.env
const AGE = 'svc-demo.gov.idcard.over18'
const YIVI = resolve('node_modules/@privacybydesign/yivi-frontend/dist/yivi.js')

const app = express()
app.get('/', (_, response) => response.sendFile(resolve('page.html')))
app.get('/yivi.js', (_, response) => response.sendFile(YIVI))
app.use(session({ secret: randomBytes(32).toString('hex'), resave: false, saveUninitialized: false }))
app.use(
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
app.get('/bar', ({ session }, response) => response.status(session.isAdult ? 200 : 403).end())

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}/`))
