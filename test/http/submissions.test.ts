/** The calls of a connected app: /request, /proofs, /commitments (spec/interface#4.3; spec/decisions#d14 to #d16, #replay, #time). @module */
import * as assert from 'uvu/assert'
import type { EffectOutcome } from '../../actors/effects/effects.ts'
import { deferred, elapse, settle, VALID } from '../actors/node.ts'
import { suite } from '../suite.ts'
import type { Answer } from './client.ts'
import { appHeaders, type ServerOfTest, type SessionOfTest, sessionIn, withServer } from './harness.ts'

const Submissions = suite('calls of a connected app')
const UNKNOWN = { status: 400, error: 'SESSION_UNKNOWN', description: 'Unknown or expired session' }
const NOT_THIS_APP = {
  status: 403,
  error: 'UNAUTHORIZED',
  description: 'You are not authorized to access the session',
}
const CALLS = [
  ['GET', 'request'],
  ['POST', 'proofs'],
  ['POST', 'commitments'],
] as const

async function connected(server: ServerOfTest, headers = appHeaders()): Promise<SessionOfTest> {
  const session = await server.create()
  const { status, text } = await server.call('GET', session.app, { headers })
  if (status !== 200) throw new Error(text)
  return session
}

function submit(
  server: ServerOfTest,
  { app }: SessionOfTest,
  body: unknown = {},
  headers = appHeaders(),
): Promise<Answer> {
  return server.call('POST', `${app}/proofs`, { headers, body })
}

async function statusOf(server: ServerOfTest, session: SessionOfTest): Promise<string> {
  return (await server.rowOf(session)).status
}

Submissions('/request answers the bare request any number of times, and proofs may follow', () =>
  withServer({}, async server => {
    const session = await connected(server)
    const calls = [1, 2, 3].map(() => server.call('GET', `${session.app}/request`, { headers: appHeaders() }))
    for (const answer of await Promise.all(calls)) {
      assert.is(answer.status, 200)
      assert.match(
        answer.text,
        /^\{"@context":"https:\/\/svc.example\/ld\/request\/disclosure\/v2","context":"AQ==","nonce":/,
      )
    }
    const answer = await submit(server, session)
    assert.equal([answer.status, answer.text], [200, '{"proofStatus":"VALID"}'])
    assert.is(answer.headers['content-type'], 'application/json; charset=UTF-8')
    assert.is(await statusOf(server, session), 'DONE')
  }),
)

Submissions('/request below version 2.8: 403 UNEXPECTED_REQUEST, nothing changes (spec/decisions#d14)', () =>
  withServer({}, async server => {
    const session = await connected(server, appHeaders('2.4', '2.7'))
    const answer = await server.call('GET', `${session.app}/request`, { headers: appHeaders() })
    assert.is(answer.status, 403)
    assert.is((answer.json as { error: string }).error, 'UNEXPECTED_REQUEST')
    assert.is(await statusOf(server, session), 'CONNECTED')
  }),
)

Submissions('outside CONNECTED the session is unknown, and nothing changes (spec/decisions#d14)', () =>
  withServer({}, async server => {
    const session = await server.create()
    const refuse = async (status: string) => {
      for (const [method, path] of CALLS)
        for (const headers of [appHeaders(), {}]) {
          const answer = await server.call(method, `${session.app}/${path}`, { headers, body: '{' })
          assert.equal(answer.json, UNKNOWN, `${path} in ${status}`)
        }
      assert.is(await statusOf(server, session), status)
    }
    await refuse('INITIALIZED')
    const body = { '@context': 'https://svc.example/ld/request/frontendoptions/v1', pairingMethod: 'pin' }
    await server.call('POST', `${session.frontend}/options`, { headers: session.authorization, body })
    await server.call('GET', session.app, { headers: appHeaders() })
    await refuse('PAIRING')
    await server.call('DELETE', session.app)
    await refuse('CANCELLED')
  }),
)

Submissions(
  'later calls need the authorization of the first GET; another one changes nothing (spec/decisions#d15)',
  () =>
    withServer({}, async server => {
      const session = await connected(server)
      for (const authorization of [null, 'someone else', ''])
        for (const [method, path] of CALLS) {
          const headers = appHeaders('2.4', '2.9', authorization)
          const answer = await server.call(method, `${session.app}/${path}`, { headers, body: {} })
          assert.equal(answer.json, NOT_THIS_APP, path)
        }
      assert.is(await statusOf(server, session), 'CONNECTED')
      for (const path of ['/status', '/statusevents'])
        assert.is((await server.open(session.app + path)).head.status, 200, 'not bound')
      assert.is((await server.call('DELETE', session.app)).status, 200, 'not bound')
    }),
)

Submissions('an app without an authorization in its first call may use any later', () =>
  withServer({}, async server => {
    const session = await connected(server, appHeaders('2.4', '2.9', null))
    assert.is(
      (await server.call('GET', `${session.app}/request`, { headers: { Authorization: 'x' } })).status,
      200,
    )
    assert.is((await submit(server, session, {}, appHeaders('2.4', '2.9', 'y'))).status, 200)
  }),
)

Submissions('commitments in a session that issues nothing cancel it (spec/decisions#d16)', () =>
  withServer({}, async server => {
    const session = await connected(server)
    const body = { n_2: 'AQ==', combinedProofs: [] }
    const commit = () => server.call('POST', `${session.app}/commitments`, { headers: appHeaders(), body })
    const answer = await commit()
    assert.is(answer.status, 400)
    assert.is((answer.json as { error: string }).error, 'INVALID_REQUEST')
    assert.is(await statusOf(server, session), 'CANCELLED')
    assert.equal((await commit()).text, answer.text, 'replayed')
    const result = await server.call('GET', `${session.requestor}/result`)
    assert.match(result.text, '"error":"INVALID_REQUEST: commitments: expected a session of type issuing')
  }),
)

Submissions('proofs in an issuance session cancel it (spec/decisions#d16)', () =>
  withServer({}, async server => {
    const request = {
      '@context': 'https://svc.example/ld/request/issuance/v2',
      credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }],
    }
    const session = sessionIn(await server.post(request))
    await server.call('GET', session.app, { headers: appHeaders() })
    const answer = await submit(server, session, { proofs: [], indices: [] })
    assert.equal([answer.status, (answer.json as { error: string }).error], [400, 'INVALID_REQUEST'])
    assert.is(await statusOf(server, session), 'CANCELLED')
    assert.equal((await submit(server, session, { proofs: [], indices: [] })).text, answer.text, 'replayed')
    const result = await server.call('GET', `${session.requestor}/result`)
    assert.match(
      result.text,
      '"error":"INVALID_REQUEST: proofs: expected a session of type disclosing or signing, got issuing"',
    )
  }),
)

Submissions('signed messages go to /proofs, commitments to /commitments (spec/interface#4.3)', () =>
  withServer({}, async server => {
    for (const [request, endpoint] of [
      [{ '@context': 'https://svc.example/ld/request/signature/v2', message: 'm' }, 'proofs'],
      [
        {
          '@context': 'https://svc.example/ld/request/issuance/v2',
          credentials: [{ credential: 'svc-demo.fast.note', attributes: { text: 'x' } }],
        },
        'commitments',
      ],
    ] as const) {
      const session = sessionIn(await server.post(request))
      await server.call('GET', session.app, { headers: appHeaders() })
      const answer = await server.call('POST', `${session.app}/${endpoint}`, {
        headers: appHeaders(),
        body: {},
      })
      assert.equal([answer.status, await statusOf(server, session)], [200, 'DONE'])
    }
  }),
)

Submissions(
  'a body that is not UTF-8 is handled as malformed, and cancels the session (spec/decisions#d16)',
  () =>
    withServer({}, async server => {
      const session = await connected(server)
      const answer = await submit(server, session, new Uint8Array([0x7b, 0xff, 0x7d]))
      assert.is((answer.json as { error: string }).error, 'MALFORMED_INPUT')
      assert.is(await statusOf(server, session), 'CANCELLED')
    }),
)

Submissions('the content type of a submission does not matter', () =>
  withServer({}, async server => {
    for (const type of [
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const session = await connected(server)
      const answer = await submit(server, session, '{}', { ...appHeaders(), 'Content-Type': type })
      assert.is(answer.status, 200, type)
    }
  }),
)

Submissions('the claim stores the unchanged body, and readers get CONNECTED until the outcome', async () => {
  const outcome = deferred<EffectOutcome>()
  await withServer({ effects: { check: () => outcome.promise } }, async server => {
    const session = await connected(server)
    const body = '{ "proofs":[ ] }\n'
    const answer = submit(server, session, body)
    while ((await server.rowOf(session)).claim === null) await settle()
    assert.is((await server.rowOf(session)).claimedBody, body)
    assert.is(
      (await server.call('GET', `${session.requestor}/result`)).text,
      `{"token":"${session.requestorToken}","status":"CONNECTED","type":"disclosing"}`,
    )
    outcome.resolve(VALID)
    assert.is((await answer).status, 200)
  })
})

Submissions(
  'while a submission is handled, a repetition waits, another one is refused, and /request is answered',
  async () => {
    const outcome = deferred<EffectOutcome>()
    let checks = 0
    const check = () => {
      checks++
      return outcome.promise
    }
    await withServer({ effects: { check } }, async server => {
      const session = await connected(server)
      const answers = [submit(server, session), submit(server, session), submit(server, session)]
      while ((await server.rowOf(session)).claim === null) await settle()
      assert.equal((await submit(server, session, { other: true })).json, UNKNOWN)
      assert.equal((await submit(server, session, {}, appHeaders('2.5'))).json, UNKNOWN)
      const request = await server.call('GET', `${session.app}/request`, { headers: appHeaders() })
      assert.is(request.status, 200, request.text) // the status is CONNECTED (spec/interface#4.3)
      outcome.resolve(VALID)
      const texts = (await Promise.all(answers)).map(({ status, text }) => [status, text])
      assert.equal(texts, Array(3).fill([200, '{"proofStatus":"VALID"}']))
      assert.is(checks, 1)
    })
  },
)

Submissions(
  'a submission that is repeated after the end gets the stored answer for 90 s, and another body does not',
  () =>
    withServer({}, async server => {
      const session = await connected(server)
      const first = await submit(server, session)
      assert.equal((await submit(server, session, { x: 1 })).json, UNKNOWN)
      await elapse(server.clock, 90_000)
      assert.is((await submit(server, session)).text, first.text)
      await elapse(server.clock, 1)
      assert.equal((await submit(server, session)).json, UNKNOWN)
    }),
)

Submissions('DELETE while a submission is handled: CANCELLED at once, its outcome is dropped', async () => {
  const outcome = deferred<EffectOutcome>()
  await withServer({ effects: { check: () => outcome.promise } }, async server => {
    const session = await connected(server)
    const answer = submit(server, session)
    while ((await server.rowOf(session)).claim === null) await settle()
    assert.is((await server.call('DELETE', session.app)).status, 200)
    assert.equal((await answer).json, UNKNOWN)
    outcome.resolve(VALID)
    await settle()
    const result = await server.call('GET', `${session.requestor}/result`)
    assert.is(result.text, `{"token":"${session.requestorToken}","status":"CANCELLED","type":"disclosing"}`)
  })
})

Submissions(
  '503 without an outcome after 15 s; the claim continues, and a repetition gets its answer',
  async () => {
    const outcome = deferred<EffectOutcome>()
    await withServer({ effects: { check: () => outcome.promise } }, async server => {
      const session = await connected(server)
      const answer = submit(server, session)
      while ((await server.rowOf(session)).claim === null) await settle()
      await settle()
      await elapse(server.clock, 15_000)
      const late = await answer
      assert.is(late.status, 503)
      assert.is(late.headers['retry-after'], '2')
      assert.is(await statusOf(server, session), 'CONNECTED')
      const again = submit(server, session)
      await settle()
      outcome.resolve(VALID)
      assert.is((await again).text, '{"proofStatus":"VALID"}')
    })
  },
)

Submissions.run()
