/** The calls of the back end to the session server. docs/examples.md says how to run it. @module */
import { randomUUID } from 'node:crypto'

const { SVC_URL = 'http://127.0.0.1:8088', SVC_TOKEN = '' } = process.env
const ATTRIBUTE = 'svc-demo.gov.idcard.over18'
const REQUEST = { '@context': 'https://irma.app/ld/request/disclosure/v2', disclose: [[[ATTRIBUTE]]] }
const HEADERS = { 'Content-Type': 'application/json', ...(SVC_TOKEN && { Authorization: SVC_TOKEN }) }
const MAX_STARTED = 10_000

globalThis.started ??= new Map()
/** The token of each session, by the id that its page knows. The oldest go first, so that memory has a limit. It is global, because next may load this file once
 *  for each route. */
const { started } = globalThis

async function ask(path, options) {
  const answer = await fetch(SVC_URL + path, { ...options, signal: AbortSignal.timeout(10_000) }).catch(
    error => {
      throw new Error(`no answer from ${SVC_URL}: ${error.cause?.code ?? error.message}`)
    },
  )
  if (!answer.ok) throw new Error(`${SVC_URL} answered ${answer.status}`)
  return answer.json()
}

/** @returns body and status, as `Response.json` takes them */
const orUnreachable = answer => answer.catch(({ message }) => [{ error: message }, { status: 502 }])

export const start = () => orUnreachable(startSession())
export const finish = id => orUnreachable(finishSession(id))

async function startSession() {
  const body = JSON.stringify(REQUEST)
  const { token, ...forThePage } = await ask('/session', { method: 'POST', headers: HEADERS, body })
  const id = randomUUID()
  started.set(id, token)
  if (started.size > MAX_STARTED) started.delete(started.keys().next().value)
  return [{ id, ...forThePage }]
}

async function finishSession(id) {
  const token = started.get(id)
  if (token === undefined) return [{ error: 'this session is not known here' }, { status: 404 }]
  const { status, proofStatus, disclosed } = await ask(`/session/${token}/result`)
  if (status !== 'DONE' || proofStatus !== 'VALID')
    return [{ accepted: false, status, proofStatus }, { status: 403 }]
  const attribute = disclosed[0][0]
  const accepted = attribute.id === ATTRIBUTE && attribute.rawvalue === 'yes'
  return [{ accepted }, { status: accepted ? 200 : 403 }] // a real site writes it into its visitor's web session here
}
