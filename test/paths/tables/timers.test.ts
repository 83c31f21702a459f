/** The time limits equal their table: each stay of a session, over real HTTP, and the limits of calls of a server without options. @module */
import * as assert from 'uvu/assert'
import { SENDING_LEASE_MS } from '../../../machines/delivery.ts'
import { LEASE_MS } from '../../../machines/session.ts'
import type { Fetch } from '../../../ports/fetch.ts'
import { createOutgoing } from '../../../ports/outgoing.ts'
import { createSimulatedClock } from '../../../ports/simulated-clock.ts'
import { PROFILES, type ProfileName } from '../../../protocol/profiles.ts'
import { parseSessionRequest } from '../../../protocol/request.ts'
import { REPLAY_MS } from '../../../sessions/stored-answer.ts'
import { elapse, settle } from '../../actors/node.ts'
import { disclosure, type ServerOfTest, type SessionOfTest, withServer } from '../../http/harness.ts'
import { readSettings } from '../../server/keyshare/node.ts'
import { settingsOfTest } from '../../server/node-of-test.ts'
import { suite } from '../../suite.ts'
import {
  AUTHENTICATION_SEC,
  CALL_LIMITS_SEC,
  LEASE_SEC,
  RESULT_JWT_SEC,
  SESSION_TIMERS,
  type SessionTimer,
  type Stay,
} from './timers.ts'

type Way = (server: ServerOfTest, session: SessionOfTest) => Promise<unknown>

const headersOf = ({ settings: { profile } }: ServerOfTest): Record<string, string> => ({
  [profile.minVersionHeader]: '2.8',
  [profile.maxVersionHeader]: '2.8',
  Authorization: 'app',
})
const choose: Way = ({ call, settings: { profile } }, { frontend, authorization: headers }) => {
  const context = `${profile.contextBase}/ld/request/frontendoptions/v1`
  return call('POST', `${frontend}/options`, { headers, body: { '@context': context, pairingMethod: 'pin' } })
}
const connect: Way = (server, { app }) => server.call('GET', app, { headers: headersOf(server) })
const submit: Way = (server, { app }) =>
  server.call('POST', `${app}/proofs`, { headers: headersOf(server), body: '{}' })
const remove: Way = ({ call }, { app }) => call('DELETE', app)

async function waitForEnd(server: ServerOfTest, session: SessionOfTest): Promise<void> {
  await elapse(server.clock, (await server.rowOf(session)).deadlineAt - server.clock.now())
}

const WAYS: Readonly<Record<Stay, readonly Way[]>> = {
  INITIALIZED: [],
  PAIRING: [choose, connect],
  CONNECTED: [connect],
  DONE: [connect, submit],
  CANCELLED: [remove],
  TIMEOUT: [waitForEnd],
}

async function statusOf({ call }: ServerOfTest, { requestor }: SessionOfTest): Promise<unknown> {
  const { status, json } = await call('GET', `${requestor}/status`)
  return status === 400 ? 'forgotten' : json
}

async function assertTimer([, profile, timeoutSec, stay, lengthSec, to]: SessionTimer): Promise<void> {
  await withServer({ settings: { profile } }, async server => {
    const session = await server.create({}, timeoutSec === 0 ? {} : { timeout: timeoutSec })
    await elapse(server.clock, 7_000)
    for (const way of WAYS[stay]) await way(server, session)
    const begunAgo = stay === 'INITIALIZED' ? 7_000 : 0
    await elapse(server.clock, lengthSec * 1_000 - begunAgo - 1)
    assert.is(await statusOf(server, session), stay, 'a millisecond before the end')
    await elapse(server.clock, 1)
    assert.is(await statusOf(server, session), to, 'at the end')
  })
}

const Timers = suite('time limits: their table in the specification')

for (const timer of SESSION_TIMERS) {
  const [, profile, timeoutSec, stay, lengthSec, to] = timer
  const asked = timeoutSec === 0 ? 'without a timeout' : `with a timeout of ${timeoutSec} s`
  Timers(`${profile}, ${asked}: ${stay} ends after ${lengthSec} s, ${to}`, () => assertTimer(timer))
}

Timers('the table contains each status with a time limit, in each profile', () => {
  const profiles: readonly ProfileName[] = ['svc', 'irma']
  assert.equal(Object.keys(PROFILES).sort(), [...profiles].sort())
  for (const name of profiles)
    for (const status of Object.keys(WAYS))
      assert.ok(
        SESSION_TIMERS.some(([, profile, , stay]) => profile === name && stay === status),
        status,
      )
})

Timers('the limits of calls are those of the table', async () => {
  const { readingMs, outcomeMs, handlingMs } = settingsOfTest({}).limits
  const { reading, outcome, handling, replay } = CALL_LIMITS_SEC
  assert.equal(
    [readingMs, outcomeMs, handlingMs, REPLAY_MS],
    [reading, outcome, handling, replay].map(sec => sec * 1_000),
  )
  const { settings } = await readSettings({})
  assert.is(settings.keyshare.jwtValiditySec, AUTHENTICATION_SEC)
})

Timers('the leases of claims and of attempts of deliveries are as long as in the table', () => {
  assert.equal([LEASE_MS, SENDING_LEASE_MS], [LEASE_SEC * 1_000, LEASE_SEC * 1_000])
})

Timers('the call for a next session has the time limit of the table', async () => {
  const clock = createSimulatedClock(0)
  const message = { body: '{}', contentType: 'application/json', idempotencyKey: 'k' }
  const fetch: Fetch = (_url, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('too late'))))
  const outgoing = createOutgoing({ clock, fetch })
  const ended: unknown[] = []
  outgoing.post('https://shop.example/next', message).catch(error => ended.push(error))
  await settle()
  await elapse(clock, CALL_LIMITS_SEC.nextSession * 1_000 - 1)
  assert.is(ended.length, 0, 'a millisecond before the end')
  await elapse(clock, 1)
  assert.is(ended.length, 1, 'at the end')
})

Timers('the JWT of a result is valid for as long as in the table', () => {
  for (const name of ['svc', 'irma'] as const) {
    const profile = PROFILES[name]
    const request = { ...disclosure(), '@context': `${profile.contextBase}/ld/request/disclosure/v2` }
    assert.is(parseSessionRequest({ request }, profile).validitySec, RESULT_JWT_SEC)
  }
})

Timers.run()
