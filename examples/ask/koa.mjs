/** A web site that asks whether its visitor is over 18, with koa and `askFor`. docs/examples.md says how to run it. @module */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { askFor } from 'attribute-session-client/koa'
import Koa from 'koa'
import session from 'koa-session'

const { PORT = '8089', SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN } = process.env
const AGE = 'svc-demo.gov.idcard.over18'
const FILES = { '/': 'page.html', '/yivi.js': 'node_modules/@privacybydesign/yivi-frontend/dist/yivi.js' }

const app = new Koa({ keys: [randomBytes(32).toString('hex')] })
const kept = new Map() // without a store, the visitor could read the session in the cookie
const store = {
  get: id => kept.get(id),
  set: (id, values) => kept.set(id, values),
  destroy: id => kept.delete(id),
}
app.use(session({ store }, app))
app.use(
  askFor({
    url: SVC_URL,
    ...(SVC_TOKEN && { auth: { method: 'token', token: SVC_TOKEN } }),
    request: { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[AGE]]] },
    accept(values, context) {
      context.session.isAdult = values[AGE] === 'yes'
      return context.session.isAdult
    },
  }),
)
app.use(context => {
  const file = FILES[context.path]
  if (context.path === '/bar') context.status = context.session.isAdult ? 200 : 403
  else if (file !== undefined) {
    context.type = file.endsWith('.js') ? 'js' : 'html'
    context.body = createReadStream(resolve(file))
  }
})

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}/`))
