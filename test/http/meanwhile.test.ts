/** Changes between the moment when a call has found its session and its turn: the turn checks everything again (spec/decisions#d14, #d15). @module */
import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { deferred } from '../actors/node.ts'
import { suite } from '../suite.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withMethods, withServer } from './harness.ts'

const Meanwhile = suite('between finding a session and its turn')
const RETENTION_MS = 1_000
const UNKNOWN = [400, 'SESSION_UNKNOWN']
const UNEXPECTED = [403, 'UNEXPECTED_REQUEST']
const OPTIONS = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'none' }

type Change = (id: string, sessions: Sessions, server: () => ServerOfTest) => Promise<unknown>

const cancelled: Change = (id, sessions) => sessions.turn(id, () => ({ event: { type: 'cancelled' } }))
const forgotten: Change = async (id, sessions, server) => {
  await cancelled(id, sessions, server)
  server().clock.advance(RETENTION_MS)
}

/** A server that makes the change before the turn of each call. */
async function afterChange(
  change: Change,
  use: (server: ServerOfTest, session: SessionOfTest) => Promise<void>,
): Promise<void> {
  let server: ServerOfTest
  const changed = (id: string, sessions: Sessions) => change(id, sessions, () => server)
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      turn: (id, decide) => changed(id, sessions).then(() => sessions.turn(id, decide)),
      call: (id, hash, decide) => changed(id, sessions).then(() => sessions.call(id, hash, decide)),
    })
  await withServer({ wrapSessions, settings: { resultLifetimeMs: RETENTION_MS } }, async started => {
    server = started
    await use(server, await server.create())
  })
}

type Row = readonly [method: string, path: string, headers: object, body: unknown, expected: unknown[]]

function rowsOf({ requestor, app, frontend, authorization }: SessionOfTest, isForgotten: boolean): Row[] {
  const tooLate = isForgotten ? UNKNOWN : UNEXPECTED
  const over = isForgotten ? UNKNOWN : [200, undefined]
  return [
    ['GET', app, appHeaders(), undefined, UNKNOWN],
    ['POST', `${app}/proofs`, appHeaders(), {}, UNKNOWN],
    ['POST', `${frontend}/options`, authorization, OPTIONS, tooLate],
    ['POST', `${frontend}/pairingcompleted`, authorization, undefined, tooLate],
    ['DELETE', app, {}, undefined, over],
    ['DELETE', requestor, {}, undefined, over],
  ]
}

for (const change of [cancelled, forgotten])
  for (const [i, title] of ['GET', 'proofs', 'options', 'pairingcompleted', 'DELETE', 'DELETE'].entries())
    Meanwhile(`the session is ${change === forgotten ? 'deleted' : 'cancelled'}: ${title} (${i + 1})`, () =>
      afterChange(change, async (server, session) => {
        const row = rowsOf(session, change === forgotten)[i]
        if (!row) throw new Error('no such row')
        const [method, path, headers, body, expected] = row
        const { status, json } = await server.call(method, path, { headers: { ...headers }, body })
        assert.equal([status, Object(json).error], expected)
      }),
    )

Meanwhile('another app has connected while a submission arrives: 403, and nothing changes', async () => {
  const isFound = deferred()
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      reserveBody(bytes) {
        isFound.resolve()
        return sessions.reserveBody(bytes)
      },
    })
  await withServer({ wrapSessions }, async server => {
    const session = await server.create()
    const headers = { ...appHeaders('2.4', '2.9', 'another app'), 'Content-Length': '2' }
    const { request, answer } = server.begin('POST', `${session.app}/proofs`, headers)
    request.write('{')
    await isFound.promise
    assert.is((await server.call('GET', session.app, { headers: appHeaders() })).status, 200)
    request.end('}')
    const { status, json } = await answer
    assert.equal([status, Object(json).error], [403, 'UNAUTHORIZED'])
    assert.is((await server.rowOf(session)).version, 2)
  })
})

Meanwhile('the session is deleted while an event stream begins: 400, and no stream', async () => {
  let isForgotten = false
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      follow(...watched) {
        isForgotten = true
        return sessions.follow(...watched)
      },
      read: async id => (isForgotten ? null : sessions.read(id)),
    })
  await withServer({ wrapSessions }, async server => {
    const { frontend, authorization } = await server.create()
    const { status, json } = await server.call('GET', `${frontend}/statusevents`, { headers: authorization })
    assert.equal([status, Object(json).error], UNKNOWN)
  })
})

Meanwhile.run()
