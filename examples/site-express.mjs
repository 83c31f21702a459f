/** A web site that asks whether its visitor is over 18, with express. docs/examples.md says how to run it. @module */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import express from 'express'

const { PORT = '8089', SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN = '' } = process.env
const ATTRIBUTE = 'svc-demo.gov.idcard.over18'
const REQUEST = { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[ATTRIBUTE]]] }
const HEADERS = { 'Content-Type': 'application/json', ...(SVC_TOKEN && { Authorization: SVC_TOKEN }) }
const PAGE = fileURLToPath(new URL('page.html', import.meta.url))
const YIVI = resolve('node_modules/@privacybydesign/yivi-frontend/dist/yivi.js')
const MAX_STARTED = 10_000

/** The token of each session, by the id that its page knows. The oldest go first, so that memory has a limit. */
const started = new Map()

async function ask(path, options) {
  const answer = await fetch(SVC_URL + path, { ...options, signal: AbortSignal.timeout(10_000) }).catch(
    error => {
      throw new Error(`no answer from ${SVC_URL}: ${error.cause?.code ?? error.message}`)
    },
  )
  if (!answer.ok) throw new Error(`${SVC_URL} answered ${answer.status}`)
  return answer.json()
}

const app = express()
app.get('/', (_, response) => response.sendFile(PAGE))
app.get('/yivi.js', (_, response) => response.sendFile(YIVI))

app.post('/start', async (_, response) => {
  const body = JSON.stringify(REQUEST)
  const { token, ...forThePage } = await ask('/session', { method: 'POST', headers: HEADERS, body })
  const id = randomUUID()
  started.set(id, token)
  if (started.size > MAX_STARTED) started.delete(started.keys().next().value)
  response.json({ id, ...forThePage })
})

app.get('/result/:id', async (request, response) => {
  const token = started.get(request.params.id)
  if (token === undefined) return response.status(404).json({ error: 'this session is not known here' })
  const { status, proofStatus, disclosed } = await ask(`/session/${token}/result`)
  if (status !== 'DONE' || proofStatus !== 'VALID')
    return response.status(403).json({ accepted: false, status, proofStatus })
  const attribute = disclosed[0][0]
  const accepted = attribute.id === ATTRIBUTE && attribute.rawvalue === 'yes'
  response.status(accepted ? 200 : 403).json({ accepted }) // a real site writes it into its visitor's web session here
})

app.use((_, response) => response.status(404).json({ error: 'there is no such page' }))
// express knows a function for errors by its four arguments
app.use((error, _request, response, _next) => response.status(502).json({ error: error.message }))

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}/`))
