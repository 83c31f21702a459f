/** A web site that asks whether its visitor is over 18, on Node without a package. docs/examples.md says how to run it. @module */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { PORT = '8089', SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN = '' } = process.env
const ATTRIBUTE = 'svc-demo.gov.idcard.over18'
const REQUEST = { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[ATTRIBUTE]]] }
const HEADERS = { 'Content-Type': 'application/json', ...(SVC_TOKEN && { Authorization: SVC_TOKEN }) }
const PAGE = readFileSync(new URL('page.html', import.meta.url))
const YIVI = readFileSync('node_modules/@privacybydesign/yivi-frontend/dist/yivi.js')
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

async function start() {
  const body = JSON.stringify(REQUEST)
  const { token, ...forThePage } = await ask('/session', { method: 'POST', headers: HEADERS, body })
  const id = randomUUID()
  started.set(id, token)
  if (started.size > MAX_STARTED) started.delete(started.keys().next().value)
  return [200, { id, ...forThePage }]
}

async function finish(id) {
  const token = started.get(id)
  if (token === undefined) return [404, { error: 'this session is not known here' }]
  const { status, proofStatus, disclosed } = await ask(`/session/${token}/result`)
  if (status !== 'DONE' || proofStatus !== 'VALID') return [403, { accepted: false, status, proofStatus }]
  const attribute = disclosed[0][0]
  const accepted = attribute.id === ATTRIBUTE && attribute.rawvalue === 'yes'
  return [accepted ? 200 : 403, { accepted }] // a real site writes it into its visitor's web session here
}

async function answer({ method, url }) {
  if (method === 'GET' && url === '/') return [200, PAGE, 'text/html']
  if (method === 'GET' && url === '/yivi.js') return [200, YIVI, 'text/javascript']
  if (method === 'POST' && url === '/start') return start()
  if (method === 'GET' && url.startsWith('/result/')) return finish(url.slice('/result/'.length))
  return [404, { error: 'there is no such page' }]
}

createServer(async (request, response) => {
  const unreachable = error => [502, { error: error.message }]
  const [status, body, type = 'application/json'] = await answer(request).catch(unreachable)
  response.writeHead(status, { 'Content-Type': type })
  response.end(type === 'application/json' ? JSON.stringify(body) : body)
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${PORT}/`))
