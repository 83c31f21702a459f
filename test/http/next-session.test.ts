/** The facts about the next session of a chain that a frontend and a requestor get (spec/interface#2.10, #4.4, #6; spec/decisions#d20). @module */
import * as assert from 'uvu/assert'
import type { PerformEffect } from '../../actors/effects/effects.ts'
import { newSession } from '../../actors/kinds/new-session.ts'
import { PROFILES } from '../../protocol/profiles.ts'
import { parseSessionRequest } from '../../protocol/request.ts'
import { storeOutcome } from '../../sessions/result.ts'
import { answerOf } from '../actors/node.ts'
import { settingsOfTest } from '../server/node-of-test.ts'
import { suite } from '../suite.ts'
import {
  appHeaders,
  OVER18,
  type ServerOfTest,
  type SessionOfTest,
  URL_OF_SERVER,
  withServer,
} from './harness.ts'

const Chain = suite('the next session of a chain at the frontend endpoints (spec/interface#2.10, #4.4, #6)')
const NEXT = { clientToken: 'c'.repeat(20), requestorToken: 'r'.repeat(20) }

/** An effect with which the session ends as DONE and opens another one. */
function opens(host: string): PerformEffect {
  const tokens = [NEXT.clientToken, NEXT.requestorToken]
  const random = { token: () => tokens.shift() ?? '', nonce: () => 1n }
  const extended = parseSessionRequest(
    { '@context': PROFILES.svc.contextBase.concat('/ld/request/disclosure/v2'), disclose: [[[OVER18]]] },
    PROFILES.svc,
  )
  return async row => ({
    event: { type: 'server.checked', isValid: true },
    columns: {
      result: storeOutcome({ proofStatus: 'VALID', nextSession: { ...NEXT, type: 'disclosing', host } }),
    },
    answer: answerOf('{}'),
    opens: newSession(extended, '', settingsOfTest({ url: URL_OF_SERVER }), random, row),
  })
}

async function ended(server: ServerOfTest): Promise<SessionOfTest> {
  const session = await server.create()
  await server.call('GET', session.app, { headers: appHeaders() })
  await server.call('POST', `${session.app}/proofs`, { headers: appHeaders(), body: {} })
  return session
}

for (const [host, origin] of [
  ['', 'http://sessions.example:8088'],
  ['www.example:81', 'http://www.example:81'],
] as const)
  Chain(`the frontend status has the pointer at DONE, ${host || 'at the host of the server'}`, () =>
    withServer({ effects: { check: opens(host) } }, async server => {
      const before = await server.create()
      const status = async ({ frontend, authorization: headers }: SessionOfTest) =>
        (await server.call('GET', `${frontend}/status`, { headers })).text
      assert.is(await status(before), '{"status":"INITIALIZED"}')
      const session = await ended(server)
      const pointer = `{"u":"${origin}/svc/session/${NEXT.clientToken}","svcqr":"disclosing"}`
      assert.is(await status(session), `{"status":"DONE","nextSession":${pointer}}`)
      const result = await server.call('GET', `${session.requestor}/result`)
      assert.match(result.text, `"nextSession":"${NEXT.requestorToken}"`)
      assert.not.match(result.text, NEXT.clientToken)
      assert.is((await server.call('GET', `${session.requestor}/status`)).text, '"DONE"')
      const next = `/svc/session/${NEXT.clientToken}/frontend`
      const headers = session.authorization
      assert.is((await server.call('GET', `${next}/status`, { headers })).text, '{"status":"INITIALIZED"}')
    }),
  )

Chain('the event of DONE on the frontend stream has the pointer too; other streams only the status', () =>
  withServer({ effects: { check: opens('') } }, async server => {
    const session = await server.create()
    const frontend = await server.open(`${session.frontend}/statusevents`, session.authorization)
    const plain = [
      await server.open(`${session.app}/statusevents`),
      await server.open(`${session.requestor}/statusevents`),
    ]
    await server.call('GET', session.app, { headers: appHeaders() })
    await server.call('POST', `${session.app}/proofs`, { headers: appHeaders(), body: {} })
    const pointer = `{"u":"http://sessions.example:8088/svc/session/${NEXT.clientToken}","svcqr":"disclosing"}`
    const frames = [
      'event: open',
      'data: {"status":"CONNECTED"}',
      `data: {"status":"DONE","nextSession":${pointer}}`,
    ]
    for (const frame of [...frames, null]) assert.is(await frontend.next(), frame)
    for (const stream of plain)
      for (const frame of ['event: open', 'data: "CONNECTED"', 'data: "DONE"', null])
        assert.is(await stream.next(), frame)
  }),
)

Chain('a session that is cancelled has no pointer', () =>
  withServer({ effects: { check: opens('') } }, async server => {
    const session = await server.create()
    await server.call('DELETE', session.app)
    const { frontend, authorization: headers } = session
    assert.is((await server.call('GET', `${frontend}/status`, { headers })).text, '{"status":"CANCELLED"}')
  }),
)

Chain.run()
