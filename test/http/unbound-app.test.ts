/** Pairing with an app that sent no `Authorization` (spec/decisions#d27). No token binds the app, so only one caller gets the secrets of the session. @module */

import * as assert from 'uvu/assert'
import type { Sessions } from '../../actors/sessions.ts'
import { CHART } from '../../machines/session.ts'
import type { SessionRow } from '../../stores/session-store.ts'
import { deferred } from '../actors/node.ts'
import { commitSession } from '../stores/commits.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, withMethods, withServer } from './harness.ts'

const Unbound = suite('an app without an authorization after pairing (spec/decisions#d27)')
const UNKNOWN = { status: 400, error: 'SESSION_UNKNOWN', description: 'Unknown or expired session' }
const STRANGER = appHeaders('2.4', '2.9', null)

function connect(server: ServerOfTest, { app }: SessionOfTest, headers = STRANGER): Promise<Answer> {
  return server.call('GET', app, { headers })
}

function fetchRequest(server: ServerOfTest, { app }: SessionOfTest, headers = STRANGER): Promise<Answer> {
  return server.call('GET', `${app}/request`, { headers })
}

async function withPairing(server: ServerOfTest): Promise<SessionOfTest> {
  const session = await server.create()
  const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
  await server.call('POST', `${session.frontend}/options`, { headers: session.authorization, body })
  return session
}

async function pair(server: ServerOfTest, { frontend, authorization }: SessionOfTest): Promise<void> {
  const { status } = await server.call('POST', `${frontend}/pairingcompleted`, { headers: authorization })
  assert.is(status, 204)
}

/** A session whose pairing has finished. */
async function paired(server: ServerOfTest, headers = STRANGER): Promise<SessionOfTest> {
  const session = await withPairing(server)
  assert.is((await connect(server, session, headers)).status, 200)
  await pair(server, session)
  return session
}

Unbound('only the first caller gets the answer with the pairing code', () =>
  withServer({}, async server => {
    const session = await withPairing(server)
    const first = await connect(server, session)
    assert.match(first.text, '"pairingCode":"4005"')
    for (const headers of [STRANGER, appHeaders(), appHeaders('2.4', '2.9', '')])
      assert.equal((await connect(server, session, headers)).json, UNKNOWN)
    assert.is((await server.rowOf(session)).status, 'PAIRING')
    assert.is((await server.rowOf(session)).version, 3, 'created, options, connected')
  }),
)

Unbound('a repeated call that waits while the first is handled does not get the code either', async () => {
  const all = deferred()
  let calls = 0
  const wrapSessions = (sessions: Sessions) =>
    withMethods(sessions, {
      async call(id, hash, decide) {
        if (++calls === 3) all.resolve()
        await all.promise
        return await sessions.call(id, hash, decide)
      },
    })
  await withServer({ wrapSessions }, async server => {
    const session = await withPairing(server)
    const answers = await Promise.all([1, 2, 3].map(() => connect(server, session)))
    assert.equal(answers.map(({ status }) => status).sort(), [200, 400, 400])
    for (const { status, json } of answers) if (status === 400) assert.equal(json, UNKNOWN)
  })
})

Unbound('the session request is sent once; a submission is then handled, and its answer repeated', () =>
  withServer({}, async server => {
    const session = await paired(server)
    assert.match((await fetchRequest(server, session)).text, '"nonce":')
    for (const headers of [STRANGER, appHeaders(), {}])
      assert.equal((await fetchRequest(server, session, headers)).json, UNKNOWN)
    assert.is((await server.rowOf(session)).status, 'CONNECTED')
    const submit = () => server.call('POST', `${session.app}/proofs`, { headers: STRANGER, body: {} })
    const [first, again] = [await submit(), await submit()]
    assert.equal([first.status, again.status, again.text], [200, 200, first.text])
    assert.is((await server.rowOf(session)).status, 'DONE')
  }),
)

Unbound('if two callers fetch the session request at once, only one gets it', () =>
  withServer({}, async server => {
    const session = await paired(server)
    const answers = await Promise.all([1, 2, 3].map(() => fetchRequest(server, session)))
    assert.equal(answers.map(({ status }) => status).sort(), [200, 400, 400])
  }),
)

Unbound('an app with an authorization may repeat both calls', () =>
  withServer({}, async server => {
    const session = await withPairing(server)
    const first = await connect(server, session, appHeaders())
    const again = await connect(server, session, appHeaders())
    assert.equal([first.status, again.status, again.text], [200, 200, first.text])
    await pair(server, session)
    const fetched = await fetchRequest(server, session, appHeaders())
    const [replayed, other] = [
      await fetchRequest(server, session, appHeaders()),
      await fetchRequest(server, session, appHeaders('2.5')), // another call, not a replay
    ]
    assert.equal([fetched.status, replayed.text, other.text], [200, fetched.text, fetched.text])
  }),
)

Unbound('without pairing the answer to the first call is repeated, and so is the session request', () =>
  withServer({}, async server => {
    const session = await server.create()
    const first = await connect(server, session)
    const again = await connect(server, session)
    assert.equal([first.status, again.status, again.text], [200, 200, first.text])
    for (const headers of [STRANGER, STRANGER, appHeaders('2.5', '2.9', null)])
      assert.is((await fetchRequest(server, session, headers)).status, 200)
  }),
)

Unbound('an error of the first GET contains no secret, and a repeated call gets it again', () =>
  withServer({}, async server => {
    const session = await withPairing(server)
    const headers = appHeaders('2.4', '2.7', null)
    const [first, again] = [await connect(server, session, headers), await connect(server, session, headers)]
    assert.match(first.text, 'PROTOCOL_VERSION')
    assert.equal([first.status, again.status, again.text], [400, 400, first.text])
  }),
)

/** The row as chart 2 would have stored it. */
function ofChart2(row: SessionRow): SessionRow {
  const { isFetched: _, isPaired: __, ...context } = { ...(row.snapshot?.context as Record<string, unknown>) }
  const version = row.version + 1
  const answered = row.answered && { ...row.answered, version }
  return { ...row, chart: 2, version, answered, snapshot: { value: row.snapshot?.value, context } }
}

Unbound('the same rules apply to sessions that an older chart has stored', () =>
  withServer({}, async server => {
    const age = async (session: SessionOfTest): Promise<void> => {
      const row = await server.rowOf(session)
      assert.is(row.chart, CHART)
      assert.ok(row.answered !== null || row.status === 'CONNECTED')
      assert.ok(await commitSession(server.store, row.id, row.version, ofChart2(row)))
    }
    const session = await withPairing(server)
    await connect(server, session)
    await age(session)
    assert.equal((await connect(server, session)).json, UNKNOWN)
    await pair(server, session)
    await age(session)
    assert.is((await fetchRequest(server, session)).status, 200)
    assert.equal((await fetchRequest(server, session)).json, UNKNOWN)
    const bound = await withPairing(server)
    const first = await connect(server, bound, appHeaders())
    await age(bound)
    assert.is((await connect(server, bound, appHeaders())).text, first.text)
  }),
)

Unbound.run()
