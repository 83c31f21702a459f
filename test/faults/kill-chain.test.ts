/** kill -9 while a combined session (disclosure and issuance) that is followed by another is handled: after the restart the app repeats its last call,
 *  and there is one outcome, one signature and one next session, or none (design, laws 1, 2 and 4). `KILLS=100` kills more often. @module */
import * as assert from 'uvu/assert'
import { createSystemClock } from '../../actors/clock.ts'
import { bytes } from '../../cli/randomness.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { readSessionPointer } from '../../wallet/pointer.ts'
import { type DeliveredRequest, readConnection, readSubmissionAnswer } from '../../wallet/server-messages.ts'
import { type PreparedSubmission, prepareSubmission } from '../../wallet/submission.ts'
import { suite } from '../suite.ts'
import { killCase, killFacts, TYPE } from './kill-case.ts'
import { requestorOfChains } from './requestor-of-chains.ts'

const KILLS = Number(process.env.KILLS ?? 15)
const BASE = `${PROFILES.svc.contextBase}/ld/request`
const NEXT = { '@context': `${BASE}/disclosure/v2`, disclose: [[[`${TYPE}.colour`]]] }
const HEADERS = {
  'X-Svc-Minprotocolversion': '2.8',
  'X-Svc-Maxprotocolversion': '2.8',
  Authorization: 'of the app',
}

const facts = await killFacts()
const requestor = await requestorOfChains(NEXT)
const on = await killCase(facts, 'svc', 'auto')

type Told = { readonly status: number; readonly text: string }

async function call(method: string, url: string, body?: string): Promise<Told> {
  const response = await fetch(url, { method, headers: HEADERS, ...(body !== undefined && { body }) })
  return { status: response.status, text: await response.text() }
}

/** The app's last call, repeated until there is a server that answers it. */
async function submit(url: string, { path, body }: PreparedSubmission): Promise<Told> {
  for (;;) {
    const told = await call('POST', `${url}${path}`, body).catch(() => null)
    if (told !== null && told.status !== 503) return told
    await new Promise(resolve => setTimeout(resolve, 50)) // the server is being started again
  }
}

type Started = { readonly url: string; readonly token: string; readonly submission: PreparedSubmission }

async function start(): Promise<Started> {
  const credentials = [{ credential: TYPE, attributes: { name: 'Bob', colour: 'green' } }]
  const request = { '@context': `${BASE}/issuance/v2`, credentials, disclose: [[[`${TYPE}.name`]]] }
  const body = JSON.stringify({ request, nextSession: { url: requestor.url } })
  const created = await fetch(`${on.server}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  const { sessionPtr, token } = JSON.parse(await created.text())
  const { request: delivered } = readConnection((await call('GET', sessionPtr.u)).text, PROFILES.svc)
  if (delivered === null) throw new Error('expected a request without pairing')
  return { url: sessionPtr.u, token, submission: await prepare(delivered) }
}

async function prepare(delivered: DeliveredRequest): Promise<PreparedSubmission> {
  const { wallet } = facts
  if (delivered.request.type !== 'issuing') throw new Error('expected an issuance')
  const chosen = wallet
    .candidates(delivered.request)
    .items.flatMap(({ candidates }) => candidates.slice(0, 1))
  const offers = wallet.offers(delivered.request.credentials)
  const deps = { wallet, fetch, clock: createSystemClock(), randomBytes: bytes }
  return prepareSubmission(deps, delivered, { chosen, offers })
}

/** One session, one outcome, whatever happened on the way. */
async function assertOneEnd(
  { url, token, submission }: Started,
  told: Told,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  assert.is(told.status, 200, told.text)
  assert.equal(await submit(url, submission), told, 'the same call again gets the same bytes')
  const answer = readSubmissionAnswer(told.text, 1)
  await submission.receive(answer) // the wallet finds the signature right
  const next = readSessionPointer(answer.nextSession).u
  const added = [...on.statuses()].filter(([clientToken]) => !before.has(clientToken))
  assert.equal(
    new Map(added),
    new Map([
      [tokenOf(url), 'DONE'],
      [tokenOf(next), 'INITIALIZED'],
    ]),
    'it, and its child',
  )
  const asked = requestor.asked.filter(each => each.token === token)
  assert.ok(asked.length >= 1)
  assert.equal(
    [...new Set(asked.map(({ key, status }) => `${key} ${status}`))].length,
    1,
    'one key for all repetitions',
  )
  assert.is((await call('GET', next)).status, 200, 'the chain goes on')
}

function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

const Kill = suite(`kill -9 in a chained issuance, ${KILLS} times`)
Kill.after(async () => {
  requestor.close()
  await on.end()
  await facts.wallet.close()
  await facts.folder.remove()
})

/** How long a submission takes if nobody kills anybody, milliseconds. */
let wholeMs = 0

Kill('nobody is killed: one end', async () => {
  for (let i = 0; i < 3; i++) {
    const before = on.statuses()
    const session = await start()
    const startedAt = Date.now()
    const told = await submit(session.url, session.submission)
    wholeMs = Date.now() - startedAt
    await assertOneEnd(session, told, before)
  }
})

Kill('killed at any moment, the app repeats its last call: one end', async () => {
  for (let i = 0; i < KILLS; i++) {
    const before = on.statuses()
    const session = await start()
    const telling = submit(session.url, session.submission)
    await new Promise(resolve => setTimeout(resolve, (wholeMs * i) / KILLS))
    await on.killAndRestart()
    await assertOneEnd(session, await telling, before)
  }
})

Kill.run()
