/** The endpoints equal their table: the same endpoints exist, and each gives the answer of the table in every status. @module */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Koa from 'koa'
import { pino } from 'pino'
import * as assert from 'uvu/assert'
import type { PerformEffect } from '../../../actors/effects/effects.ts'
import { eventStreams } from '../../../http/event-stream.ts'
import { mountRoutes } from '../../../http/routes.ts'
import { systemRandomness } from '../../../ports/randomness.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { createNode } from '../../../server/create-node.ts'
import { createMemoryStore } from '../../../stores/memory/store.ts'
import { elapse, settle, VALID } from '../../actors/node.ts'
import type { Call } from '../../http/client.ts'
import {
  appHeaders,
  disclosure,
  type ServerOfTest,
  type SessionOfTest,
  sessionIn,
  withServer,
} from '../../http/harness.ts'
import { PROJECT } from '../../project.ts'
import { idlePool, noNetwork, settingsOfTest } from '../../server/node-of-test.ts'
import { suite } from '../../suite.ts'
import { errorIn } from '../bad-calls.ts'
import { answerIn, COLUMNS, type Column, ENDPOINTS, OTHERS } from './endpoints.ts'

const key = (name: string): Buffer => readFileSync(join(PROJECT, 'test/vectors/keys', name))
const resultSigner = {
  issuer: 'a server',
  privateKey: createPrivateKey(key('session-jwt.private.pem')),
  publicKeyPem: key('session-jwt.public.pem').toString(),
}

/** A submission whose work never ends, and one that is handled at once. */
const HELD = '{}'
const SUBMITTED = '{ }'
const check: PerformEffect = ({ claimedBody }) =>
  claimedBody === HELD ? new Promise(() => {}) : Promise.resolve(VALID)

const ISSUANCE = {
  '@context': 'https://svc.example/ld/request/issuance/v2',
  credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }],
}
const OPTIONS = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }

type Way = (server: ServerOfTest, session: SessionOfTest, submission: string) => Promise<unknown>

const choose: Way = ({ call }, { frontend, authorization: headers }) =>
  call('POST', `${frontend}/options`, { headers, body: OPTIONS })
const connect: Way = ({ call }, { app }) => call('GET', app, { headers: appHeaders() })
const remove: Way = ({ call }, { app }) => call('DELETE', app)
const wait: Way = ({ clock }) => elapse(clock, 300_000)
const submit: Way = ({ call }, _session, submission) =>
  call('POST', submission, { headers: appHeaders(), body: SUBMITTED })

async function submitHeld(
  { call, rowOf }: ServerOfTest,
  session: SessionOfTest,
  submission: string,
): Promise<void> {
  call('POST', submission, { headers: appHeaders(), body: HELD }).catch(() => {}) // fails when the server closes
  while ((await rowOf(session)).claim === null) await settle(1)
}

/** The steps that lead to each column (spec/interface#3). */
const WAYS: Readonly<Record<Column, readonly Way[]>> = {
  'INITIALIZED none': [],
  'INITIALIZED pin': [choose],
  PAIRING: [choose, connect],
  CONNECTED: [connect],
  'CONNECTED, claimed': [connect, submitHeld],
  DONE: [connect, submit],
  CANCELLED: [remove],
  TIMEOUT: [wait],
  forgotten: [remove, wait],
}

/** A faultless call. It differs from every earlier call, because a repeated call would get the stored answer. */
function rightCall(endpoint: string): Call {
  const [, path = ''] = endpoint.split(' ')
  if (path.startsWith('{app}')) {
    const headers = appHeaders('2.4', '2.8')
    return endpoint.startsWith('POST') ? { headers, body: `${SUBMITTED} ` } : { headers }
  }
  return path.endsWith('options') ? { body: OPTIONS } : {}
}

async function answerOf(server: ServerOfTest, session: SessionOfTest, endpoint: string): Promise<string> {
  const [method = '', template = ''] = endpoint.split(' ')
  const { requestor, app, frontend, authorization } = session
  const path = template
    .replace('{requestor}', requestor)
    .replace('{app}', app)
    .replace('{frontend}', frontend)
  const right = rightCall(endpoint)
  const headers = { ...right.headers, ...(template.startsWith('{frontend}') && authorization) }
  if (path.endsWith('statusevents')) {
    const { head, leave } = await server.open(path, headers)
    leave()
    if (head.headers['content-type'] === 'text/event-stream') return 'stream'
  }
  const answer = await server.call(method, path, { ...right, headers })
  return [answer.status, errorIn(answer) ?? []].flat().join(' ')
}

async function statusOf({ call }: ServerOfTest, { requestor }: SessionOfTest): Promise<string> {
  const { json } = await call('GET', `${requestor}/status`)
  return typeof json === 'string' ? json : 'forgotten'
}

async function assertAnswer(server: ServerOfTest, column: Column, endpoint: string): Promise<void> {
  const isIssuing = endpoint.endsWith('commitments')
  const session = sessionIn(await server.post(isIssuing ? ISSUANCE : disclosure()))
  const submission = `${session.app}/${isIssuing ? 'commitments' : 'proofs'}`
  for (const way of WAYS[column]) await way(server, session, submission)
  const before = await statusOf(server, session)
  assert.is(before, column.split(/[ ,]/)[0], `the way to ${column}`)
  const answer = await answerOf(server, session, endpoint)
  const after = await statusOf(server, session)
  const said = after === before ? answer : `${answer} > ${after}`
  assert.is(said, answerIn(column, endpoint), endpoint)
}

const Endpoints = suite('endpoints of sessions: their table in the specification')

for (const column of COLUMNS)
  Endpoints(`${column}: each endpoint answers as in the table`, () =>
    withServer({ effects: { check }, settings: { resultSigner } }, async server => {
      for (const endpoint of ENDPOINTS) await assertAnswer(server, column, endpoint)
    }),
  )

/** A path in the notation of the table. */
function templateOf(path: string): string {
  return path
    .replace('{/}', '')
    .replace('/svc/session/:clientToken/frontend', '{frontend}')
    .replace('/svc/session/:clientToken', '{app}')
    .replace('/session/:requestorToken', '{requestor}')
    .replace('/svc/revocation/:type', '{revocation}')
}

Endpoints('the server has exactly the endpoints of the table', async () => {
  const world = { clock: createSimulatedClock(), random: systemRandomness, fetch: noNetwork }
  const log = pino({ level: 'silent' })
  const instead = { pool: idlePool(), store: createMemoryStore() }
  const { deps, close } = await createNode(settingsOfTest({}), { ...world, log, instead })
  const app = new Koa()
  mountRoutes(app, deps, eventStreams(deps), 'everybody')
  await close()
  const layers = app.middleware.flatMap((one): unknown[] => Object(one).router?.stack ?? [])
  const routes = layers.flatMap(layer => {
    const { methods, path, name } = Object(layer)
    const named = methods.filter((method: string) => method !== 'HEAD')
    return name === 'otherwise' ? [] : named.map((method: string) => `${method} ${templateOf(path)}`)
  })
  assert.equal(routes.sort(), [...ENDPOINTS, ...OTHERS.map(([, endpoint]) => endpoint)].sort())
})

Endpoints.run()
